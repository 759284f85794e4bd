"""What devices do while the power is cut. A new command belongs into a scenario here; nothing else has to change.

A scenario begins with an empty store. Its steps run one after the other on one recorded block device; power is cut in
each of them, and between them.
"""

import os
import subprocess
from dataclasses import dataclass

from older import older

# The releases that the publisher makes; the last one with new keys for timestamp and snapshot.
RELEASES = 4
ROTATED = ("timestamp", "snapshot")


@dataclass(frozen=True)
class Step:
    """A command, the newest release that its repository serves, and what may come of it."""

    command: str
    release: int
    # Exit codes: of the command, and of the same command after a power cut.
    exits: tuple = (0,)
    again: tuple = (0,)
    # Further lines of the configuration; `{release:N}` and `{index}` are paths, `{all but:N}` the free space but for N MiB.
    settings: tuple = ()
    # Called with the store before the command; what it changes is flushed before the command starts.
    prepare: object = None
    # Another process holds the store meanwhile.
    is_locked: bool = False
    # The command given again leads to the state after it.
    is_idempotent: bool = True
    # A file among the maps that must be there afterwards.
    makes: str = ""
    # Makes, of the maps before the command, those between its commits, if it makes more than one.
    between: object = None
    # Maps that the preparation has damaged, or that of a step before.
    damaged: tuple = ()
    # What it must print.
    says: str = ""
    # Maps that came by themselves and are not needed here: others may get their room.
    dispensable: str = "-"
    # A further start may go back to this release.
    falls_back: int = 0


@dataclass(frozen=True)
class Scenario:
    """`world`: which maps there are (`Publisher.all`). `weight`: how many states of a step are looked at."""

    name: str
    steps: tuple
    world: str = "small"
    weight: int = 1


def remove(*names):
    """A step's preparation: files of the current generation are lost."""

    def remove_in(store):
        for name in names:
            os.remove(f"{store}/current/{name}")

    return remove_in


def remove_generations_before(store):
    """No generation is left to fall back to."""
    current = os.path.basename(os.readlink(f"{store}/current"))
    for name in os.listdir(f"{store}/generations"):
        if name != current:
            subprocess.run(["rm", "-rf", f"{store}/generations/{name}"], check=True)


def lose_everything(store):
    """Neither the manifest nor the catalog that could rebuild it is left, nor another generation."""
    remove_generations_before(store)
    remove("manifest", "catalog")(store)


def damage(name):
    """A step's preparation: a byte of a map is wrong."""

    def damage_in(store):
        with open(f"{store}/current/maps/{name}", "r+b") as file:
            file.seek(5000)
            byte = file.read(1)[0]
            file.seek(5000)
            file.write(bytes([byte ^ 1]))

    return damage_in


def only(*prefixes):
    """The maps of the packages that an update in place leaves alone."""
    return lambda maps: frozenset((name, digest) for name, digest in maps if name.startswith(prefixes))


def without(prefix):
    """The maps that are left when some are uninstalled."""
    return lambda maps: frozenset((name, digest) for name, digest in maps if not name.startswith(prefix))


def wait(days):
    """A step's preparation: what the device has written down of its place becomes older."""
    return lambda store: older(store, int(days * 86400))


INDEX = ("index_command = {index}",)
BASE = ("base = {release:1}",)
ACTIVATION = ("activation = boot", "at_boot = nothing")
TRIAL = ("trial = yes", "trial_boots = 1")
AREA = ("area_radius = 50K", "area_keep = 1d")
# The large map has 24 MB, and 16 MiB of it are made before any of the old one is given back.
IN_PLACE = ("low_space = in-place", "space_reserve = {all but:21}")
MALTA, LATVIA = "europe/malta/base.bin", "europe/latvia/base.bin"

ALL = [
    Scenario("life", (
        Step("install europe world", 1),
        Step("apply", 2),
        Step("rollback", 2, again=(0, 24, 64), is_idempotent=False),
        Step("apply", 3),
        Step("groups deselect search", 3),
        Step("apply", 3),
        Step("uninstall world", 3, again=(0, 64)),
        Step("confirm", 3),
        Step("install world", 3, settings=INDEX, makes="world/airports/base.bin.index"),
        Step("boot", 3, prepare=remove("manifest")),
        Step("groups select search", 3),
        Step("check", 4, exits=(10,), again=(10,)),
        Step("apply", 4, settings=INDEX),
    )),
    Scenario("queue", (
        Step("install europe", 1),
        Step("uninstall --no-wait europe/iceland", 2, exits=(25,), again=(0, 25, 64), is_locked=True,
             is_idempotent=False),
        Step("cancel", 2, again=(0, 26), is_idempotent=False),
        Step("uninstall --no-wait europe/malta", 2, exits=(25,), again=(0, 25, 64), is_locked=True,
             is_idempotent=False),
        Step("apply", 2, between=without("europe/malta/")),
    )),
    Scenario("base", (
        Step("boot", 1, settings=BASE),
        # Before it has seen a newer release: the metadata of the base map would be older than what it trusts.
        Step("boot", 1, settings=BASE, prepare=lose_everything, between=lambda maps: None),
        Step("apply", 2, settings=BASE),
        Step("boot", 2, settings=BASE, prepare=remove("manifest", "catalog")),
        Step("apply", 3, settings=BASE),
    )),
    Scenario("trial", (
        Step("install europe", 1),
        Step("apply", 2, settings=TRIAL),
        Step("boot", 2, settings=TRIAL, is_idempotent=False, falls_back=1),
        Step("boot", 2, settings=TRIAL, falls_back=1),
        # It is blocked.
        Step("apply", 2, settings=TRIAL),
        Step("apply --release 2", 2, settings=TRIAL),
        Step("confirm", 2, settings=TRIAL),
        Step("apply", 3, settings=TRIAL),
        Step("boot", 3, settings=(*TRIAL, "health_command = /bin/false"), falls_back=2),
    )),
    Scenario("standby", (
        Step("install europe", 1),
        Step("apply --stage", 2),
        Step("apply --stage", 3),
        Step("uninstall europe/iceland", 3, again=(0, 64)),
        Step("apply --stage", 3),
        Step("activate", 3, again=(0, 64)),
        Step("rollback", 3, again=(0, 24, 64), is_idempotent=False),
        Step("apply --stage --release 3", 3),
        Step("boot", 3, settings=ACTIVATION),
        Step("apply --stage", 4),
        Step("confirm", 4),
        Step("apply", 4),
    )),
    Scenario("area", (
        Step("install world", 1),
        Step("position 64.9 -18.6", 1, settings=AREA),
        Step("apply", 1, settings=AREA),
        Step("position 56.9 24.1", 1, settings=AREA, prepare=wait(0.5), dispensable="europe/iceland/"),
        Step("apply", 1, settings=AREA, dispensable="europe/iceland/"),
        # It has left Iceland long ago.
        Step("apply", 1, settings=AREA, prepare=wait(2)),
        Step("install europe/latvia", 1, settings=AREA),
        Step("apply", 2, settings=AREA),
        Step("position 0 0", 2, settings=AREA, prepare=wait(0.5)),
        # A user has asked for the rest.
        Step("apply", 2, settings=AREA, prepare=wait(2)),
        Step("uninstall europe/latvia", 2, settings=AREA, again=(0, 64)),
    )),
    # What is served as release 5 is that release 4 has been recalled.
    Scenario("recall", (
        Step("install europe world", 4),
        Step("apply", 5),
        Step("uninstall world", 5, again=(0, 64)),
    ), world="recalled"),
    Scenario("recall-kept", (
        Step("install europe", 3),
        Step("apply", 4),
        Step("apply", 5),
        Step("rollback", 5, exits=(64,), again=(64,)),
        Step("install world", 5),
    ), world="recalled"),
    Scenario("repair", (
        Step("install europe", 1),
        Step("apply", 2),
        Step("verify", 2, prepare=damage(MALTA), exits=(24,), again=(24,), damaged=(MALTA,)),
        Step("repair", 2, damaged=(MALTA,)),
        Step("repair europe/latvia", 2, prepare=damage(LATVIA), damaged=(LATVIA,)),
        Step("verify", 2, prepare=damage(MALTA), exits=(24,), again=(24,), damaged=(MALTA,)),
        Step("apply", 3, damaged=(MALTA,)),
    )),
    Scenario("large", (
        Step("install europe", 1),
        Step("apply", 2),
    ), world="large"),
    Scenario("in-place", (
        Step("install europe", 1),
        Step("apply", 2, settings=IN_PLACE, says="in place", between=only("europe/iceland/", "europe/tiles/")),
    ), world="large", weight=8),
]
