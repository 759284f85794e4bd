"""Writes pairs of files that need every part of the patch format: FOLDER/NAME.old and FOLDER/NAME.new.

usage: pairs.py FOLDER SEED
"""

import binascii
import io
import random
import sqlite3
import struct
import sys
import zipfile
import zlib

folder, seed = sys.argv[1], int(sys.argv[2])
random.seed(seed)
words = [bytes(random.randrange(40, 120) for _ in range(random.randrange(3, 12))) for _ in range(500)]


def write(name, old, new):
    open(f"{folder}/{name}.old", "wb").write(old)
    open(f"{folder}/{name}.new", "wb").write(new)


def text(count):
    return b" ".join(random.choice(words) for _ in range(count))


def edit(content):
    cut = random.randrange(len(content))
    return content[:cut] + random.choice(words) + content[cut + 3 :]


def similar(count, values):
    """What follows two bytes is one of three."""
    following = [random.sample(range(values), 3) for _ in range(values * values)]
    result, state = bytearray(), 0
    for _ in range(count):
        result.append(random.choice(following[state]))
        state = state % values * values + result[-1]
    return bytes(result)


def plain():
    old = text(6000)
    write("text", old, edit(old[20000:] + text(50) + old[:15000]))
    changed = bytearray(old)
    for _ in range(200):
        changed[random.randrange(len(changed))] ^= random.randrange(1, 256)
    write("changed", old, bytes(changed))
    write("packed", b"", old)
    write("noise", random.randbytes(5000), random.randbytes(6000))
    # More than one frame.
    write("frames", b"", random.randbytes(150_000) + old)
    # So small that its section is stored.
    digits = b"".join(b"%d\n" % number for number in range(300))
    write("digits", digits, digits.replace(b"77", b"seven").replace(b"123", b"132")[200:] + digits[:90])
    # Similar rather than equal: sections are sorted, in one chunk and in two.
    write("similar", b"", similar(900, 6))
    write("muchSimilar", similar(1000, 40), similar(270_000, 40))
    write("emptyNew", old, b"")
    write("bothEmpty", b"", b"")


def coordinates():
    def line(count, decimals):
        x, y = random.randrange(10**8), random.randrange(10**8)
        points = []
        for _ in range(count):
            x, y = x + random.randrange(-999, 999), y + random.randrange(-999, 999)
            points.append((x / 10**decimals, y / 10**decimals))
        return points

    def blob(points):
        return b"\x01" + struct.pack("<II", 2, len(points)) + b"".join(struct.pack("<dd", *point) for point in points)

    def joined(lines):
        return b"".join(blob(line) + random.randbytes(7) for line in lines)

    lines = [line(random.randrange(10, 200), random.choice((5, 6, 7, 7))) for _ in range(40)]
    old = joined(lines)
    write("coordinatesPacked", b"", old)
    for number in range(0, 40, 3):
        lines[number][random.randrange(len(lines[number]))] = (1.5, 2.25)
    for number in range(1, 40, 5):
        lines[number] = line(80, 7)
    for number in range(2, 40, 7):
        lines[number].reverse()
    for number in range(4, 40, 9):
        lines[number] = lines[number - 1][::-1] + lines[number]
    write("coordinates", old, joined(lines))
    heights = b"".join(struct.pack("<ddd", *point, 100 + number / 10) for number, point in enumerate(lines[1]))
    write("heights", b"", heights)
    # So small that its section is stored.
    few = [(12.3456789, 45.6789012), (12.3456889, 45.6788912), (12.34571, 45.67894), (12.3457, 45.6788)]
    write("few", blob(few), blob(few[::-1] + few[:2]))


def pack(content, level=6, bits=31, memory=8, strategy=0):
    coder = zlib.compressobj(level, zlib.DEFLATED, bits, memory, strategy)
    return coder.compress(content) + coder.flush()


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", binascii.crc32(kind + data))


def picture(content, piece):
    stream = pack(content, 9, 15, 9, 1)
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 16, 16, 8, 2, 0, 0, 0))
    parts = [chunk(b"IDAT", stream[start : start + piece]) for start in range(0, len(stream), piece)]
    return b"\x89PNG\r\n\x1a\n" + header + b"".join(parts) + chunk(b"IEND", b"")


def archive(parts):
    room = io.BytesIO()
    with zipfile.ZipFile(room, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for number, part in enumerate(parts):
            file.writestr(zipfile.ZipInfo(f"a/{number}.bin"), part, zipfile.ZIP_DEFLATED, 9)
    return room.getvalue()


def database(path, size, parts):
    db = sqlite3.connect(path)
    db.execute(f"pragma page_size = {size}")
    db.execute("create table tiles (zoom_level integer, tile_row integer, tile_data blob)")
    for number, part in enumerate(parts):
        db.execute("insert into tiles values (8, ?, ?)", (number, pack(part)))
    db.commit()
    db.close()


def streams():
    parts = [text(random.randrange(5, 900)) for _ in range(30)]
    later = [edit(part) if number % 2 else part for number, part in enumerate(parts)]
    later[7:8] = [text(300), text(5)]
    points = b"".join(struct.pack("<dd", 7 + number / 10**7, 50 + number * 3 / 10**7) for number in range(900))
    parts.append(points)
    later.append(points[160:8000] + points[:160] + points[8000:])
    write("gzip", b"".join(map(pack, parts)), b"-".join(map(pack, later)))
    write("zip", archive(parts), archive(later))
    for size in 512, 4096:
        database(f"{folder}/tiles{size}.old", size, parts)
        database(f"{folder}/tiles{size}.new", size, later)
    write("pictures", b"--".join(picture(part, 300) for part in parts), b"--".join(picture(part, 300) for part in later))
    write("streamsPacked", b"", b"".join(map(pack, parts)))
    # Level, window, memory and strategy that are not the usual ones.
    unusual = [pack(part, 1 + number % 9, 9 + number % 7, 1 + number % 9, number % 5) for number, part in enumerate(parts)]
    write("parameters", b"".join(map(pack, parts)), b"".join(unusual))
    write("stream", pack(b"a map of Malta, " * 20), b"new: " + pack(b"a map of Malta, " * 19 + b"a map of Gozo"))


plain()
coordinates()
streams()
