"""The device program on one store, and what a reader of that store finds."""

import fcntl
import hashlib
import os
import struct
import subprocess
import time
from dataclasses import dataclass, field

LOST = "the manifest is lost"
# In the place of the digest of a map.
DAMAGED = "damaged"


@dataclass(frozen=True)
class State:
    """What must survive: installed maps (name to digest; None: nothing), deselected groups, waiting operations."""

    maps: object
    groups: str
    queue: frozenset
    roots: frozenset = field(default_factory=frozenset)

    def text(self):
        """For messages."""
        if not isinstance(self.maps, frozenset):
            maps = self.maps or "no maps"
        else:
            maps = ", ".join(f"{name} {digest[:8]}" for name, digest in sorted(self.maps))
        return f"[{maps}; groups {self.groups.split()}; queue {sorted(self.queue)}; root {sorted(self.roots)}]"


class Broken(Exception):
    """A promise is broken."""


def require(condition, sentence):
    """Without an assertion, which -O would remove."""
    if not condition:
        raise Broken(sentence)


class Device:
    """A store below `folder`, and a configuration beside it."""

    def __init__(self, program, folder, scratch, trusted_root):
        self.program = program
        self.root = f"{folder}/store"
        self.scratch = scratch
        self.trusted_root = trusted_root
        # Maps that may have other bytes than the manifest says.
        self.damaged = ()
        # Words in front of each command.
        self.before = []

    def run(self, words, repository, settings=()):
        """Runs a command; its exit code and what it printed."""
        configuration = f"{self.scratch}/tinyupdater.conf"
        lines = ["retries = 0", "space_reserve = 0", "at_boot = nothing", f"root = {self.root}",
                 f"trusted_root = {self.trusted_root}", f"repository = file://{repository}", *settings]
        with open(configuration, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        # Cut off after a minute: no command hangs, whatever it finds.
        result = subprocess.run([*self.before, self.program, "--config", configuration, *words], stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False)
        return result.returncode, result.stdout.decode(errors="replace")

    # What a reader sees

    def read(self):
        """The state, after reading every byte of every map as docs/readers.md asks for."""
        maps = None
        while (name := self.link("current")) is not None:
            require(name.startswith("generations/") and name[12:].isdigit(), f"current names {name}")
            try:
                folder = os.open(f"{self.root}/{name}", os.O_RDONLY | os.O_DIRECTORY)
            except OSError as error:
                raise Broken(f"current names {name}: {error.strerror}") from None
            fcntl.flock(folder, fcntl.LOCK_SH)
            if self.link("current") == name:
                try:
                    maps = self.maps(folder)
                finally:
                    os.close(folder)
                break
            os.close(folder)
        return State(maps, self.text("groups"), frozenset(self.operations()), frozenset(self.trusted_roots()))

    def maps(self, folder):
        """The maps of the generation, each equal to what the manifest says of it."""
        try:
            with open(os.open("manifest", os.O_RDONLY, dir_fd=folder), "rb") as file:
                manifest = file.read()
        except FileNotFoundError:
            return LOST
        body, _, end = manifest.rpartition(b"end ")
        require(end == hashlib.sha256(body).hexdigest().encode() + b"\n", "the manifest is damaged")
        expected, maps = {}, set()
        for line in body.decode().splitlines():
            words = line.split(" ")
            if words[0] == "file":
                path = "maps/" + " ".join(words[7:])
                if path.endswith("/"):
                    files = self.tree(folder, path, *words[4:6])
                    maps.update(files)
                    expected.update(files)
                    continue
                maps.add(path)
                expected[path] = words[4:6]
                if words[6] != "-":
                    expected[path + ".index"] = words[6].split(":")
            elif words[0] == "catalog":
                expected["catalog"] = [words[2], words[1]]
        found = set()
        for parent, _, names, descriptor in os.fwalk("maps", dir_fd=folder):
            for name in names:
                path = f"{parent}/{name}"
                require(path in expected, f"{path} is not in the manifest")
                found.add(path)
        require(found == set(expected) - {"catalog"}, f"missing: {sorted(set(expected) - found - {'catalog'})}")
        for path, (size, digest) in expected.items():
            try:
                with open(os.open(path, os.O_RDONLY, dir_fd=folder), "rb") as file:
                    content = file.read()
            except OSError as error:
                raise Broken(f"{path}: {error.strerror}") from None
            require(len(content) == int(size), f"{path} has {len(content)} bytes instead of {size}")
            if hashlib.sha256(content).hexdigest() != digest:
                require(path[5:] in self.damaged, f"{path} has other bytes than the manifest says")
                expected[path] = (size, DAMAGED)
        return frozenset((path[5:], digest) for path, (_, digest) in expected.items() if path in maps)

    def tree(self, folder, path, size, digest):
        """The files of a component that has many, each with its size and digest (docs/format/tree.md)."""
        try:
            with open(os.open(f"trees/{digest}", os.O_RDONLY, dir_fd=folder), "rb") as file:
                front = file.read()
        except OSError as error:
            raise Broken(f"trees/{digest}: {error.strerror}") from None
        require(front[:4] == b"TUT1", f"trees/{digest} is no front")
        count, length = struct.unpack_from("<II", front, 4)
        require(len(front) == 16 + 42 * count + length, f"trees/{digest} has {len(front)} bytes")
        sizes = struct.unpack_from(f"<{count}Q", front, 16)
        lengths = struct.unpack_from(f"<{count}H", front, 16 + 40 * count)
        whole, files, place = hashlib.sha256(front), {}, 16 + 42 * count
        for index in range(count):
            name = path + front[place:place + lengths[index]].decode()
            place += lengths[index]
            listed = front[16 + 8 * count + 32 * index:][:32].hex()
            files[name] = [str(sizes[index]), listed]
            try:
                with open(os.open(name, os.O_RDONLY, dir_fd=folder), "rb") as file:
                    whole.update(file.read())
            except OSError as error:
                raise Broken(f"{name}: {error.strerror}") from None
        require(len(front) + sum(sizes) == int(size), f"{path} has another size")
        require(whole.hexdigest() == digest or path[5:] in self.damaged, f"{path} has other bytes than the manifest says")
        return files

    def settle(self):
        """Waits until no process changes the store, and no update in place is to go on."""
        end = time.monotonic() + 60
        descriptor = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY)
        try:
            while True:
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    if not self.names("in-place"):
                        return
                    fcntl.flock(descriptor, fcntl.LOCK_UN)
                except BlockingIOError:
                    pass
                require(time.monotonic() < end, "boot did not finish the update in place")
                time.sleep(0.02)
        finally:
            os.close(descriptor)

    def link(self, name):
        """The target of a symbolic link in the store; None if there is none."""
        try:
            return os.readlink(f"{self.root}/{name}")
        except FileNotFoundError:
            return None

    def text(self, name):
        """The content of a small file; empty if there is none."""
        try:
            with open(f"{self.root}/{name}", encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def names(self, folder):
        """The names in a directory of the store."""
        try:
            return sorted(os.listdir(f"{self.root}/{folder}"))
        except FileNotFoundError:
            return []

    def operations(self):
        """The operations that wait, without those that are cancelled as a whole."""
        for name in self.names("queue"):
            text = self.text(f"queue/{name}") if name.isdigit() else ""
            if text.endswith("\nend\n") and self.text(f"queue/{name}.cancel") != "tinyupdater-cancel 1\nend\n":
                yield text

    def trusted_roots(self):
        """The digest of the trusted root, which must not go back."""
        text = self.text("trust/root.json")
        if text:
            yield hashlib.sha256(text.encode()).hexdigest()[:8]

    # What must not be left

    def litter(self):
        """What a finished command has no business to leave."""
        found = [f"staging/{name}" for name in self.names("staging")]
        found += [name for name in self.names(".") if name.startswith("in-place")]
        found += [f"generations/{name}" for name in self.names("generations") if not name.isdigit()]
        found += [name for name in self.names(".") if name.endswith(".new")]
        found += [f"trust/{name}" for name in self.names("trust") if name.endswith(".new")]
        found += [f"catalogs/{name}" for name in self.names("catalogs") if "." in name]
        # An operation that was never reported as queued may lie there incomplete, until 32 later ones have ended.
        found += [f"queue/{name}" for name in self.names("queue")
                  if not name.endswith(".done") and name not in ("worker", "active")
                  and not (name.isdigit() and not self.text(f"queue/{name}").endswith("\nend\n"))]
        generations = [name for name in self.names("generations") if name.isdigit()]
        # The current one, the one before, and one that a rollback went back from.
        return found + (generations if len(generations) > 3 else [])
