"""Opens installed maps with programs that know nothing of this one: usage: program_checks.py WORK PICTURES

Compares what they say of the files below `current/maps` with what they say of the publisher's, at both releases, while maps
are updated, rolled back and updated in place (scripts/test-programs). Prints a table; exit: 0 all the same, 1 not.
"""

import contextlib
import fcntl
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import threading
import time
import urllib.request

import made_up_island
from browser import Browser
from service_checks import check_service

WORK, PICTURES = sys.argv[1:]
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DEVICE = os.environ.get("TINYUPDATER", f"{TOP}/build/tinyupdater")
PUBLISHER = os.environ.get("TINYPUBLISH", f"{TOP}/.build/release/tinypublish")
SYSTEM_PYTHON = "/usr/bin/python3"  # has the modules of Debian's packages

PMTILES = """
import hashlib, sys
from pmtiles.reader import MmapSource, Reader, all_tiles
with open(sys.argv[1], 'rb') as file:
    source = MmapSource(file)
    print(Reader(source).metadata(), hashlib.sha256(b''.join(bytes(data) for _, data in all_tiles(source))).hexdigest())
"""
MAPNIK = """
import sys, mapnik
picture = mapnik.Map(400, 250)
style, rule = mapnik.Style(), mapnik.Rule()
rule.symbols.append(mapnik.LineSymbolizer())
style.rules.append(rule)
picture.append_style('lines', style)
for name in ('areas', 'roads'):
    layer = mapnik.Layer(name)
    layer.datasource = mapnik.Shapefile(file=f'{sys.argv[1]}/{name}.shp')
    layer.styles.append('lines')
    picture.layers.append(layer)
picture.zoom_all()
image = mapnik.Image(400, 250)
mapnik.render(picture, image)
sys.stdout.buffer.write(image.tostring('png'))
"""
MBUTIL = 'd=$(mktemp -d) && mb-util --silent --image_format=png "$1" "$d/t" && (cd "$d/t" && find . -type f -print0 | sort -z | xargs -0 sha256sum); rm -rf "$d"'

# What a map is, what opens it, and how; MAPS is the directory of the maps.
PROGRAMS = [
    ("MBTiles", "sqlite3", ["sqlite3", "file:MAPS/islands/base.mbtiles?mode=ro&immutable=1",
                            "PRAGMA integrity_check; SELECT count(*), sum(length(tile_data)) FROM tiles"]),
    ("MBTiles", "gdalinfo", ["gdalinfo", "-checksum", "-nomd", "MAPS/islands/base.mbtiles"]),
    ("MBTiles", "mb-util", ["sh", "-c", MBUTIL, "sh", "MAPS/islands/base.mbtiles"]),
    ("PMTiles", "pmtiles", [sys.executable, "-c", PMTILES, "MAPS/islands/tiles.pmtiles"]),
    ("GeoPackage", "ogrinfo", ["ogrinfo", "-ro", "-al", "MAPS/islands/search.gpkg"]),
    ("FlatGeobuf", "ogrinfo", ["ogrinfo", "-ro", "-al", "MAPS/islands/areas.fgb"]),
    ("Shapefile", "ogrinfo", ["ogrinfo", "-ro", "-al", "MAPS/shapes/places.shp"]),
    ("Shapefile", "mapnik", [SYSTEM_PYTHON, "-c", MAPNIK, "MAPS/shapes"]),
    ("GeoTIFF", "gdalinfo", ["gdalinfo", "-checksum", "MAPS/islands/height.tif"]),
    ("OSM PBF", "osmium", ["osmium", "fileinfo", "-e", "--no-progress", "MAPS/islands/roads.osm.pbf"]),
    ("zip", "unzip", ["sh", "-c", 'unzip -tq "$1" && unzip -v "$1"', "sh", "MAPS/islands/pictures.zip"]),
    ("tar", "tar", ["tar", "-tvzf", "MAPS/islands/offline.tar.gz"]),
]


def answers(maps):
    """What each program says; the path of the maps is taken out of it."""
    found = []
    for what, program, words in PROGRAMS:
        result = subprocess.run([word.replace("MAPS", maps) for word in words], capture_output=True)
        said = result.stdout.replace(maps.encode(), b"MAPS")
        found.append((result.returncode, hashlib.sha256(said).hexdigest()) if result.returncode == 0
                     else (result.returncode, result.stderr.decode(errors="replace")))
    return found


@contextlib.contextmanager
def held(root):
    """The directory of the current generation, which stays: rules 1 to 5 of docs/readers.md, and 7."""
    end = time.monotonic() + 20
    while os.path.exists(f"{root}/in-place") and time.monotonic() < end:
        time.sleep(0.05)
    while True:
        name = os.readlink(f"{root}/current")
        try:
            descriptor = os.open(f"{root}/{name}", os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:
            continue
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        if os.readlink(f"{root}/current") == name:
            break
        os.close(descriptor)
    try:
        yield f"{root}/{name}"
    finally:
        os.close(descriptor)


class Device:
    def __init__(self, root, repository, *settings):
        self.root, self.configuration = root, f"{root}.conf"
        os.makedirs(os.path.dirname(root), exist_ok=True)
        self.configure(repository, *settings)

    def configure(self, repository, *settings):
        lines = [f"root = {self.root}", f"repository = file://{repository}", "space_reserve = 0",
                 f"trusted_root = {WORK}/repo/metadata/1.root.json", "base = /nonexistent", *settings]
        with open(self.configuration, "w") as file:
            file.write("\n".join(lines) + "\n")

    def run(self, *words):
        words = [DEVICE, "--config", self.configuration, "--quiet", *words]
        result = subprocess.run(words, stderr=subprocess.PIPE, text=True)
        if result.returncode:
            sys.exit(f"{' '.join(words)}: {result.stderr}")
        return result.stderr


class Checks:
    """What was seen: for each program how often it gave the publisher's answer, and how often another one."""

    def __init__(self, expected):
        self.expected, self.same, self.wrong = expected, [0] * len(PROGRAMS), []

    def look(self, device, moment):
        with held(device.root) as generation:
            with open(f"{generation}/manifest") as file:
                release = int(file.read().split("\nrelease ")[1].split()[0])
            for index, answer in enumerate(answers(f"{generation}/maps")):
                if answer == self.expected[release][index]:
                    self.same[index] += 1
                else:
                    self.wrong.append((moment, release, PROGRAMS[index][:2], answer))

    @contextlib.contextmanager
    def looking(self, device, moment):
        """Looks again and again meanwhile."""
        ends = threading.Event()

        def work():
            while not ends.is_set():
                self.look(device, moment)

        thread = threading.Thread(target=work)
        thread.start()
        try:
            yield
        finally:
            ends.set()
            thread.join()


def publish():
    """Makes both releases; a copy of the repository has the first one only."""
    inputs = {release: f"{WORK}/input-{release}" for release in (1, 2)}
    subprocess.run([PUBLISHER, "init", f"{WORK}/repo"], check=True, stdout=subprocess.DEVNULL)
    for release, folder in inputs.items():
        made_up_island.make(release, folder)
        subprocess.run([PUBLISHER, "release", f"{WORK}/repo", folder, "--label", f"release-{release}", "--quiet"],
                       check=True, stdout=subprocess.DEVNULL)
        if release == 1:
            shutil.copytree(f"{WORK}/repo", f"{WORK}/first")
    return inputs


def start(root, settings=()):
    """A device with the first release that sees the second one."""
    device = Device(root, f"{WORK}/first", *settings)
    device.run("install", "islands", "shapes")
    device.configure(f"{WORK}/repo", *settings)
    return device


def check_trees(device, inputs, release):
    with held(device.root) as generation:
        result = subprocess.run(["diff", "-r", inputs[release], f"{generation}/maps"], capture_output=True)
    return result.returncode == 0


def check_in_place(checks):
    """An update without room for two copies; nothing where no file system can be mounted."""
    place = f"{WORK}/small"
    os.makedirs(place)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "programs", place], capture_output=True).returncode:
        return print("in place: left out, since mounting takes root")
    try:
        device = start(f"{place}/store", ["low_space = in-place"])
        free = os.statvfs(place).f_bavail * os.statvfs(place).f_bsize
        with open(f"{place}/filler", "wb") as file:
            os.posix_fallocate(file.fileno(), 0, free - (580 << 10))
        with checks.looking(device, "in place"):
            said = device.run("apply")
        if "replaced in place" not in said:
            checks.wrong.append(("in place", 2, ("all", "tinyupdater"), said))
        checks.look(device, "after in place")
    finally:
        subprocess.run(["umount", "--lazy", place])


def check_viewer(device, inputs):
    """A map in a browser, before and after an update: pictures, and every tile as the publisher's."""
    library = importlib.util.find_spec("maplibre").submodule_search_locations[0] + "/srcjs"
    viewer = subprocess.Popen(
        [sys.executable, f"{TOP}/config/examples/map-viewer", "--root", device.root, "--port", "0", "--library", library,
         "--quiet", "islands/base.mbtiles"], stdout=subprocess.PIPE, text=True)
    wrong = []
    try:
        url = viewer.stdout.readline().strip()
        with Browser(has_webgl=True) as page:
            page.resize(900, 560)
            page.open(url)
            for release, name in ((1, "before"), (2, "after")):
                if release == 2:
                    device.run("apply", "--release", "2")
                    time.sleep(4)  # the page looks every two seconds
                for _ in range(60):
                    with contextlib.suppress(RuntimeError):
                        if "(drawn)" in page.run("document.title"):
                            break
                    time.sleep(0.5)
                else:
                    wrong.append(f"the map of release {release} was not drawn: {page.complaints()}")
                page.screenshot(f"{PICTURES}/map-{name}.png", whole=False)
                wrong += wrong_tiles(url, f"{inputs[release]}/islands/base.mbtiles")
            complaints = [text for text in page.complaints() if "404" not in text and "WebGL" not in text]
            wrong += [] if complaints == [] else [f"the page complains: {complaints}"]
    finally:
        viewer.terminate()
        viewer.wait()
    return wrong


def wrong_tiles(url, path):
    import sqlite3
    wrong = []
    number = urllib.request.urlopen(url + "release").read().decode()
    with sqlite3.connect(path) as tiles:
        for zoom, column, row, data in tiles.execute("SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles"):
            served = urllib.request.urlopen(f"{url}tiles/{number}/{zoom}/{column}/{2**zoom - 1 - row}").read()
            if served != data:
                wrong.append(f"tile {zoom}/{column}/{row} of {path}")
    return wrong


def main():
    inputs = publish()
    expected = {release: answers(folder) for release, folder in inputs.items()}
    failed = [(PROGRAMS[i][:2], e) for r in expected.values() for i, e in enumerate(r) if e[0] != 0]
    if failed:
        sys.exit(f"a program cannot open the publisher's own map: {failed}")
    changed = sum(a != b for a, b in zip(expected[1], expected[2]))
    checks = Checks(expected)
    device = start(f"{WORK}/device/store")
    trees = [check_trees(device, inputs, 1)]
    checks.look(device, "installed")
    for _ in range(3):
        with checks.looking(device, "update"):
            device.run("apply", "--release", "2")
        checks.look(device, "updated")
        trees.append(check_trees(device, inputs, 2))
        with checks.looking(device, "rollback"):
            device.run("rollback")
        checks.look(device, "rolled back")
        trees.append(check_trees(device, inputs, 1))
    check_in_place(checks)
    wrong_answers = check_service(DEVICE, device, f"{WORK}/socket")
    wrong_pictures = check_viewer(device, inputs)
    print(f"{changed} of {len(PROGRAMS)} answers differ between the releases; "
          f"{'all' if all(trees) else 'NOT all'} of {len(trees)} trees are the publisher's (diff -r)")
    print("| format | program | the same as of the publisher's file | other |\n| --- | --- | --: | --: |")
    for index, (what, program, _) in enumerate(PROGRAMS):
        other = sum(entry[2] == (what, program) for entry in checks.wrong)
        print(f"| {what} | {program} | {checks.same[index]} | {other} |")
    print(f"| MBTiles | MapLibre in Chromium | {2 - bool(wrong_pictures)} pictures, every tile | {len(wrong_pictures)} |")
    print(f"The service, asked by the module varlink: {'NOT ' if wrong_answers else ''}as the interface says")
    for entry in checks.wrong[:10] + wrong_answers + wrong_pictures[:10]:
        print("WRONG", entry)
    return 0 if all(trees) and not checks.wrong and not wrong_answers and not wrong_pictures and changed == len(PROGRAMS) else 1


if __name__ == "__main__":
    sys.exit(main())
