"""How a device goes on after it was interrupted: in every other way than the one that was interrupted.

A new way belongs into ALL; nothing else has to change.
"""

import fcntl
import glob
import os
import shutil
import time
from dataclasses import dataclass

from device import DAMAGED, LOST, Broken, require

# Another attempt may end with any of these, and the device goes on.
STOPS = (0, 10, 12, 20, 21, 22, 23, 24, 25, 64, 78)


@dataclass(frozen=True)
class Continuation:
    """Commands, and what is different from the run that was interrupted."""

    name: str
    # {again}: the interrupted command; {export}: a directory of its own.
    commands: tuple
    settings: tuple = ()
    is_connected: bool = True
    # The repository serves the newest release there is.
    is_newest: bool = False
    # Called with the store: what storage loses, or another program does.
    meddle: object = None
    # The file system has no room meanwhile.
    is_full: bool = False
    # Packages that the commands remove.
    removes: tuple = ()


def lose(*patterns):
    """Files and directories of the store are gone."""

    def meddle(store):
        for path in [path for pattern in patterns for path in glob.glob(f"{store}/{pattern}")]:
            shutil.rmtree(path) if os.path.isdir(path) and not os.path.islink(path) else os.remove(path)

    return meddle


def lose_catalog(store):
    """The catalog of the release that an update in place leads to, wherever it is."""
    try:
        with open(f"{store}/in-place/journal", encoding="ascii") as file:
            digest = file.readlines()[1].split()[3]
    except (FileNotFoundError, IndexError):
        return
    lose(f"in-place/files/{digest}", f"catalogs/{digest}")(store)


def flip(path):
    """A byte of a file is wrong."""
    with open(path, "r+b") as file:
        file.seek(os.path.getsize(path) // 3)
        byte = file.read(1)
        file.seek(-len(byte), os.SEEK_CUR)
        file.write(bytes(value ^ 1 for value in byte))


def damage(*patterns):
    """A byte of each of these files is wrong, unless the current maps have it, too."""

    def meddle(store):
        for path in [path for pattern in patterns for path in glob.glob(f"{store}/{pattern}")]:
            if os.stat(path).st_nlink == 1:
                flip(path)

    return meddle


def link(store):
    """A backup with hard links."""
    os.system(f"cp -al '{store}' '{store}.backup'")


PAYLOADS = ("staging/*", "in-place/files/*.container")
ALL = [
    Continuation("again", ("{again}",)),
    Continuation("again, offline", ("{again}",), is_connected=False),
    Continuation("apply", ("apply",)),
    Continuation("payloads lost", ("apply",), meddle=lose(*PAYLOADS)),
    Continuation("payloads lost, offline", ("apply", "apply"), is_connected=False, meddle=lose(*PAYLOADS)),
    Continuation("payloads damaged", ("apply",), meddle=damage("in-place/files/*.container")),
    Continuation("payloads damaged, offline", ("apply",), is_connected=False, meddle=damage("in-place/files/*.container")),
    Continuation("new files lost", ("apply",), meddle=lose("in-place/files/*")),
    Continuation("new files lost, offline", ("apply",), is_connected=False, meddle=lose("in-place/files/*")),
    Continuation("catalog lost", ("apply",), meddle=lose_catalog),
    Continuation("catalog lost, offline", ("apply",), is_connected=False, meddle=lose_catalog),
    Continuation("journal lost", ("apply",), meddle=lose("in-place/journal")),
    Continuation("journal lost, offline", ("apply",), is_connected=False, meddle=lose("in-place/journal")),
    Continuation("journal damaged", ("apply",), meddle=damage("in-place/journal")),
    Continuation("old maps damaged", ("apply",), meddle=damage("in-place/base/maps/*/*/base.bin")),
    Continuation("old maps damaged, offline", ("apply",), is_connected=False,
                 meddle=damage("in-place/base/maps/*/*/base.bin")),
    Continuation("old maps lost, offline", ("apply",), is_connected=False, meddle=lose("in-place/base")),
    Continuation("a backup with hard links", ("apply",), meddle=link),
    Continuation("the manifest lost", ("apply",), meddle=lose("current/manifest")),
    Continuation("the link lost, offline", ("apply",), is_connected=False, meddle=lose("current")),
    Continuation("less memory", ("apply",), settings=("memory_budget = 3M",), is_connected=False),
    Continuation("low_space = refuse", ("apply",), settings=("low_space = refuse",)),
    Continuation("low_space = drop-previous, offline", ("apply",), settings=("low_space = drop-previous",),
                 is_connected=False),
    Continuation("no room", ("apply",), is_full=True),
    Continuation("no room, payloads lost", ("apply", "apply"), is_full=True, meddle=lose(*PAYLOADS)),
    Continuation("a newer release", ("apply",), is_newest=True),
    Continuation("apply --release", ("apply --release release-2",), is_newest=True),
    Continuation("rollback", ("rollback",)),
    Continuation("rollback, offline", ("rollback",), is_connected=False),
    Continuation("install", ("install world",)),
    Continuation("install, offline", ("install world",), is_connected=False),
    Continuation("uninstall, offline", ("uninstall europe/malta",), is_connected=False, removes=("europe/malta/",)),
    Continuation("groups", ("groups deselect search", "apply"), removes=("/search.bin",)),
    Continuation("repair", ("repair",)),
    Continuation("verify, list, status", ("verify", "list", "status", "check", "history")),
    Continuation("export", ("export {export}",)),
    Continuation("boot twice", ("boot", "boot")),
]


def names_of(state):
    """The maps of a device."""
    return {name for name, _ in state.maps} if isinstance(state.maps, frozenset) else set()


class Continued:
    """A device that goes on with `step` and ends at the newest release.

    `before`, `after`: its state before the step, and when that is not interrupted. `expand`: puts paths and sizes into a
    line of the configuration.
    """

    def __init__(self, device, publisher, step, before, after, expand):
        self.device = device
        self.publisher = publisher
        self.step = step
        self.before, self.after = names_of(before), names_of(after)
        self.expand = expand
        self.kept = set()

    def run(self, continuation, again, *, starts):
        """Goes on in this way, and then as a device with a server and with space does; throws Broken.

        `starts`: whether `boot` comes first, and whether its background process has ended before the next command.
        """
        device, store = self.device, self.device.root
        before = device.read()
        packages = names_of(before)
        if continuation.meddle:
            continuation.meddle(store)
        if starts[0]:
            self.command("boot", continuation)
            packages = self.check("boot", packages, continuation)
        if starts[0] and starts[1]:
            self.settle()
        export = f"{device.scratch}/export"
        shutil.rmtree(export, ignore_errors=True)
        with full(store) if continuation.is_full else nothing():
            for command in continuation.commands:
                command = command.replace("{again}", again).replace("{export}", export)
                self.kept = self.names_of_others()
                code, output = self.command(command, continuation)
                require(code in STOPS, f"{command}: exit {code}: {output}")
                packages = self.check(command, packages, continuation)
                self.require_release(command, code, output, continuation)
        shutil.rmtree(f"{store}.backup", ignore_errors=True)
        self.settle()
        self.finish(packages, continuation)

    def names_of_others(self):
        """The maps that every generation but the current one has."""
        folder = f"{self.device.root}/generations"
        current = os.path.basename(os.path.realpath(f"{self.device.root}/current"))
        kept = None
        for name in os.listdir(folder) if os.path.isdir(folder) else []:
            maps = f"{folder}/{name}/maps"
            if name == current or not name.isdigit() or not os.path.isdir(maps):
                continue
            names = {os.path.relpath(os.path.join(place, file), maps) for place, _, files in os.walk(maps) for file in files}
            kept = names if kept is None else kept & names
        return kept or set()

    def command(self, command, continuation):
        """Its exit code and output."""
        served = self.publisher.served(self.publisher.releases if continuation.is_newest else self.step.release)
        settings = [*self.step.settings, *continuation.settings]
        if not continuation.is_connected:
            settings.append("offline = yes")
        settings = [self.expand(line, self.device) for line in settings]
        return self.device.run(command.split(" "), served, settings)

    def check(self, command, packages, continuation):
        """All maps are whole and of one release, and none is missing that was there before."""
        state = self.device.read()
        names = set()
        if isinstance(state.maps, frozenset):
            names = {name for name, _ in state.maps}
            whole = {(name, digest) for name, digest in state.maps if digest != DAMAGED}
            require(any(whole <= set(release.items()) for release in self.publisher.expected.values()),
                    f"mixed after {command}: {state.text()}")
        elif state.maps == LOST and continuation.meddle:
            # `boot` or the next command makes the manifest again.
            return packages
        missing = {name for name in packages - names if not self.may_go(name, continuation)}
        if command == "rollback":
            # What was installed last goes, whichever step that was: what the generations before do not all have.
            missing &= self.before & self.kept
        # A lost link hides all maps until a command names a generation again.
        if command != "boot" and not os.path.lexists(f"{self.device.root}/current"):
            return packages
        require(not missing, f"{command} lost {sorted(missing)}")
        return names

    def may_go(self, name, continuation):
        """The step, or the way in which it goes on, removes the map, or it is of a data group that is deselected."""
        is_deselected = name.rpartition("/")[2][:-4] in self.device.text("groups").split()
        is_dispensable = name.startswith(self.step.dispensable)
        return is_deselected or is_dispensable or name not in self.after or any(part in name for part in continuation.removes)

    def require_release(self, command, code, output, continuation):
        """No update succeeds at another release than the newest that it can know of, unless it is only to be staged."""
        if "--stage" in command:
            return
        if code != 0 or not command.startswith("apply") or not continuation.is_connected or " is blocked (" in output:
            return
        state = self.device.read()
        if not isinstance(state.maps, frozenset) or not state.maps:
            return
        newest = self.publisher.releases if continuation.is_newest else self.step.release
        # An operation that was in the queue goes on to the newest.
        wanted = (2, newest) if "--release" in command else (newest,)
        whole = {item for item in state.maps if item[1] != DAMAGED}
        require(any(whole <= set(self.publisher.expected[release].items()) for release in wanted),
                f"{command} succeeded at {state.text()}: {output}")

    def finish(self, packages, continuation):
        """With a server and with space, one `apply` makes the newest release whole."""
        newest = self.publisher.releases
        code, output = self.device.run(["apply"], self.publisher.served(newest), ())
        require(code in (0, 12), f"apply in the end: exit {code}: {output}")
        state = self.device.read()
        names = names_of(state)
        missing = {name for name in packages - names if not self.may_go(name, continuation)}
        require(not missing, f"missing in the end: {sorted(missing)}: {output}")
        # A release that was left by a rollback is not installed again.
        is_newest = not state.maps or state.maps <= set(self.publisher.expected[newest].items())
        require(is_newest or " is blocked (" in output, f"in the end: {state.text()}")
        require(not state.queue, f"operations are left: {state.text()}")
        if state.maps:
            code, output = self.device.run(["verify"], self.publisher.served(newest), ())
            require(code == 0, f"verify in the end: exit {code}: {output}")
            # Where nothing is installed, nothing is asked for, and the catalog that is known is still wanted.
            require(not (litter := self.device.litter()), f"left in the end: {', '.join(litter)}")

    def settle(self):
        """Waits until no process changes the store."""
        free, end = 0, time.monotonic() + 60
        descriptor = os.open(self.device.root, os.O_RDONLY | os.O_DIRECTORY)
        try:
            while free < 3:
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    fcntl.flock(descriptor, fcntl.LOCK_UN)
                    free += 1
                except BlockingIOError:
                    free = 0
                if time.monotonic() > end:
                    raise Broken("another process does not end")
                time.sleep(0.02)
        finally:
            os.close(descriptor)


class nothing:  # pylint: disable=invalid-name
    """Nothing is different."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


class full(nothing):  # pylint: disable=invalid-name
    """The file system has no room but for a few small files."""

    def __init__(self, store):
        self.path = f"{os.path.dirname(store)}/filler"
        space = os.statvfs(os.path.dirname(store))
        self.size = max(0, space.f_bavail * space.f_frsize - (256 << 10))

    def __enter__(self):
        with open(self.path, "wb") as file:
            if self.size:
                try:
                    os.posix_fallocate(file.fileno(), 0, self.size)
                except OSError:
                    pass
        return self

    def __exit__(self, *_):
        os.remove(self.path)
        # Btrfs gives the space back with its next transaction.
        os.sync()
