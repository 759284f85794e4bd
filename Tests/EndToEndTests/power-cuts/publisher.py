"""Releases of made-up maps, published with `tinypublish`, and what a device must have of each."""

import hashlib
import os
import re
import shutil
import subprocess
from random import Random

from scenarios import RELEASES, ROTATED

PAGE = 4096
BOXES = {
    "iceland": 'south="63.3" west="-24.6" north="66.6" east="-13.4"',
    "latvia": 'south="55.6" west="20.9" north="58.1" east="28.3"',
}


def pages(seed, count, edits):
    """A map of `count` pages, some of which every edit replaces or inserts; packing and matching them is quick."""

    def page(random):
        return random.randbytes(PAGE // 16) * 16

    random = Random(seed)
    content = [page(random) for _ in range(count)]
    for edit in range(edits):
        random = Random(f"{seed} {edit}")
        for _ in range(1 + count // 40):
            content[random.randrange(len(content))] = page(random)
        content.insert(random.randrange(len(content)), page(random))
    return b"".join(content)


def maps(release, is_large):
    """The files of a release; a large map has checkpoints, and parts of it are given back in place."""
    files = {
        "europe/malta/base.bin": pages(1, 90, release),
        "europe/malta/search.bin": pages(2, 12, release // 2),
        "europe/latvia/base.bin": pages(3, 40, release),
        "europe/iceland/base.bin": pages(4, 30, 0),
        "world/airports/base.bin": pages(5, 20, release),
        # Indexes are made of what the publisher expects one for.
        "world/airports/map.xml": b'<map index-size="1000"/>',
    }
    # Where a device may be.
    for name, box in BOXES.items():
        files[f"europe/{name}/map.xml"] = f'<map><bounds {box}/></map>'.encode()
    # Many small files are one component; in place it is not changed, which would have to have room beside.
    files["europe/tiles/map.xml"] = b'<map package="tree"/>'
    for number in range(70):
        edits = release if number % 9 == 0 and not is_large else 0
        files[f"europe/tiles/{number // 20}/{number}.pbf"] = Random(f"tile {number} {edits}").randbytes(300 + 40 * number)
    if is_large:
        files["europe/alps/base.bin"] = pages(6, 6000, min(release, 2))
    return files


class Publisher:
    """A repository, and copies of it that serve an older release."""

    def __init__(self, program, folder, is_large=False):
        self.program = program
        self.path = f"{folder}/repository"
        self.folder = folder
        self.root = f"{folder}/root.json"
        self.releases = 0
        self.files = {}
        self.is_large = is_large
        os.makedirs(folder)
        self.passphrase = f"{folder}/passphrase"
        with open(os.open(self.passphrase, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="ascii") as file:
            file.write("correct horse\n")
        self.run("init", self.path)
        shutil.copy(f"{self.path}/metadata/1.root.json", self.root)

    @staticmethod
    def all(folder, program, worlds):
        """Repositories with all releases: "small", "large" with a large map, "recalled" without the last release."""
        publishers = {}
        for world in worlds:
            publisher = Publisher(program, f"{folder}/{world}", world == "large")
            for release in range(1, RELEASES + 1):
                publisher.publish(rotating=ROTATED if release == RELEASES else ())
            if world == "recalled":
                publisher.recall()
            publisher.expected = publisher.components()
            publishers[world] = publisher
        return publishers

    def run(self, *words):
        """Runs `tinypublish`, which must succeed."""
        words = [self.program, *words, "--passphrase-file", self.passphrase]
        result = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if result.returncode:
            raise RuntimeError(f"{' '.join(words)}: {result.stdout.decode(errors='replace')}")

    def publish(self, *, rotating=()):
        """Adds a release, after replacing the keys of some roles, and keeps a copy that serves it."""
        for role in rotating:
            self.run("key", "rotate", self.path, role)
        self.releases += 1
        folder = f"{self.folder}/maps-{self.releases}"
        files = maps(self.releases, self.is_large)
        for name, content in files.items():
            os.makedirs(os.path.dirname(f"{folder}/{name}"), exist_ok=True)
            with open(f"{folder}/{name}", "wb") as file:
                file.write(content)
        self.files[self.releases] = {
            name: hashlib.sha256(content).hexdigest() for name, content in files.items() if not name.endswith(".xml")}
        self.run("release", self.path, folder, "--label", f"release-{self.releases}", "--quiet", "--patch-from", "1")
        shutil.rmtree(folder)
        shutil.copytree(self.path, self.served(self.releases), copy_function=os.link)

    def recall(self):
        """Takes the newest release back; what is served then counts as a release with the maps of the one before."""
        self.run("recall", self.path, f"release-{self.releases}", "--because", "it is bad", "--quiet")
        self.releases += 1
        self.files[self.releases] = self.files[self.releases - 2]
        shutil.copytree(self.path, self.served(self.releases), copy_function=os.link)

    def served(self, release):
        """The directory that serves `release` as the newest one."""
        return f"{self.folder}/served-{release}"

    def components(self):
        """The digest of each map by release and name: `components[2]["europe/malta/base.bin"]`."""
        return self.files
