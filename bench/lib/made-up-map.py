"""Writes a made-up map database of a given size, one file for each release, always the same ones for the same words.

usage: made-up-map.py MEGABYTES RELEASES DIRECTORY      writes DIRECTORY/1 to DIRECTORY/RELEASES

The first half of a file are tables, whose rows are much alike, and the second half compressed contents, such as tiles.
Both are groups of 16 pages of 4 KiB. From one release to the next, of the groups

1 in 12  is changed in a few bytes of some pages (tables), or in one content (tiles)
1 in 40  is written anew
1 in 50  moves, by 64 to 1000 groups
1 in 60  is followed by a new one

and all others stay as they are.
"""

import random
import struct
import sys

PAGE = 4096
PAGES = 16
GROUP = PAGE * PAGES
TABLE, TILES = "table", "tiles"
WORDS = [b"highway=residential;", b"name=", b"landuse=forest;", b"building=yes;", b"oneway=no;", b"maxspeed=50;"]


def rows(chance):
    """A group of a table: rows with rising numbers and words."""
    row, parts, size = chance.randrange(1 << 28), [], 0
    while size < GROUP:
        part = struct.pack("<II", row, row * 3 % (1 << 32)) + chance.choice(WORDS) + chance.choice(WORDS)
        row += chance.randrange(1, 4)
        parts.append(part)
        size += len(part)
    return b"".join(parts)[:GROUP]


TABLES = [rows(random.Random(f"table {number}")) for number in range(8)]


def edit(group, kind, change):
    """Changes a few numbers in some pages of a table, or one content."""
    chance = random.Random(f"change {change}")
    if kind == TILES:
        size = chance.randrange(1000, 6000)
        offset = chance.randrange(GROUP - size)
        group[offset : offset + size] = chance.randbytes(size)
        return
    for page in chance.sample(range(PAGES), chance.randrange(1, 6)):
        for _ in range(chance.randrange(1, 8)):
            offset = page * PAGE + chance.randrange(PAGE - 4)
            group[offset : offset + 4] = chance.randbytes(4)


def content(kind, identity, changes):
    """The pages of a group."""
    chance = random.Random(f"group {identity}")
    if kind == TILES:
        group = bytearray(chance.randbytes(GROUP))
    else:
        group = bytearray(TABLES[identity % len(TABLES)])
        struct.pack_into("<Q", group, 0, identity)
        for _ in range(8):
            struct.pack_into("<I", group, chance.randrange(GROUP - 4), chance.randrange(1 << 32))
    for change in changes:
        edit(group, kind, change)
    return group


def next_release(groups, names, chance):
    """The groups of the next release: (identity, changes) each; `names` yields identities and changes."""
    groups = [
        (next(names), ()) if chance.random() < 1 / 40
        else (identity, (*changes, next(names))) if chance.random() < 1 / 12
        else (identity, changes)
        for identity, changes in groups
    ]
    for _ in range(len(groups) // 50):
        start = chance.randrange(len(groups))
        group = groups.pop(start)
        groups.insert(min(len(groups), max(0, start + chance.choice((-1, 1)) * chance.randrange(64, 1000))), group)
    grown = []
    for group in groups:
        grown.append(group)
        if chance.random() < 1 / 60:
            grown.append((next(names), ()))
    return grown


def main():
    megabytes, releases, directory = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    chance = random.Random(f"map {megabytes}")
    names = iter(range(1 << 40))
    half = max(1, megabytes * 1000 * 1000 // GROUP // 2)
    parts = [(kind, [(next(names), ()) for _ in range(half)]) for kind in (TABLE, TILES)]
    for release in range(1, releases + 1):
        with open(f"{directory}/{release}", "wb") as file:
            for kind, groups in parts:
                file.writelines(content(kind, *group) for group in groups)
        parts = [(kind, next_release(groups, names, chance)) for kind, groups in parts]


main()
