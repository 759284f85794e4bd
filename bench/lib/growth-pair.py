"""Writes a pair of files of about a given size, always the same one for the same words.

usage: growth-pair.py records|decimals|tiles MEGABYTES OLD NEW

records   64 bytes each: numbers that rise, numbers, a name; one in 8 changed, one block of 64 KiB in 16 moved, a few new
decimals  lines of text with two coordinates and a name; one in 10 moved by little
tiles     a table of SQLite with gzip-compressed tiles of 2 to 20 KB, as in MBTiles; one in four changed
"""

import gzip
import random
import sqlite3
import struct
import sys

BLOCK = 64 << 10
# Letters and some zeros: the random part of a record is names and small numbers, not noise.
LETTERS = bytes(b"\0eatoinshrdlu"[i % 13] for i in range(256))


def block(number, chance):
    """1024 records of 64 bytes."""
    noise = chance.randbytes(BLOCK)
    names = noise.translate(LETTERS)
    parts = []
    for i in range(0, BLOCK, 64):
        parts.append(struct.pack("<QII", number * 1024 + i // 64, noise[i], noise[i + 1] * 7))
        parts.append(noise[i : i + 8])
        parts.append(names[i + 8 : i + 48])
    return b"".join(parts)


def changed(block, chance):
    """128 of the records with another number and other letters."""
    block = bytearray(block)
    for record in chance.sample(range(1024), 128):
        block[64 * record + 16 : 64 * record + 20] = chance.randbytes(4)
        block[64 * record + 24 : 64 * record + 30] = chance.randbytes(6).translate(LETTERS)
    return bytes(block)


def records(size, chance, old, new):
    with open(old, "wb") as before, open(new, "wb") as after:
        moved = []
        for number in range(max(1, size // BLOCK)):
            content = block(number, chance)
            before.write(content)
            content = changed(content, chance)
            if number % 16 == 5:
                moved.append(content)
                continue
            after.write(content)
            if moved and number % 16 == 13:
                after.write(moved.pop())
            if number % 32 == 9:
                after.write(block(number, chance)[: 64 * chance.randrange(1, 64)])
        after.writelines(moved)


def decimals(size, chance, old, new):
    with open(old, "w") as before, open(new, "w") as after:
        latitude, longitude = 48.0, 9.0
        while before.tell() < size:
            lines, others = [], []
            for number in range(10000):
                latitude += chance.uniform(-0.01, 0.01)
                longitude += chance.uniform(-0.01, 0.01)
                line = f"{latitude:.7f},{longitude:.7f},place {chance.randrange(100000)}\n"
                lines.append(line)
                if chance.random() < 0.1:
                    north, east = chance.uniform(-0.0001, 0.0001), chance.uniform(-0.0001, 0.0001)
                    line = f"{latitude + north:.7f},{longitude + east:.7f},{line.split(',')[2]}"
                others.append(line)
            before.writelines(lines)
            after.writelines(others)


def tile(chance):
    """Content that halves when it is compressed: runs of small steps, and words."""
    parts = []
    for _ in range(chance.randrange(20, 200)):
        parts.append(chance.randbytes(chance.randrange(40, 160)).translate(bytes(i & 31 for i in range(256))))
        parts.append(chance.choice([b"highway=residential", b"name=", b"landuse=forest", b"building=yes"]))
    return b"".join(parts)


def tiles(size, chance, old, new):
    def table(path):
        base = sqlite3.connect(path)
        base.execute("pragma page_size = 4096")
        base.execute("pragma synchronous = off")
        base.execute("create table tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob)")
        return base

    before, after = table(old), table(new)
    number = written = 0
    while written < size:
        content = tile(chance)
        packed = gzip.compress(content, 9, mtime=0)
        before.execute("insert into tiles values (14, ?, ?, ?)", (number % 128, number // 128, packed))
        if chance.random() < 0.25:
            place = chance.randrange(len(content))
            content = content[:place] + b"name=new" + content[place + 4 :]
            packed = gzip.compress(content, 9, mtime=0)
        after.execute("insert into tiles values (14, ?, ?, ?)", (number % 128, number // 128, packed))
        written += len(packed)
        number += 1
    for base in before, after:
        base.execute("create unique index tile_index on tiles (zoom_level, tile_column, tile_row)")
        base.commit()
        base.close()


def main():
    kind, megabytes, old, new = sys.argv[1:]
    makers = {"records": records, "decimals": decimals, "tiles": tiles}
    makers[kind](int(megabytes) * 1000 * 1000, random.Random(f"{kind} {megabytes}"), old, new)


main()
