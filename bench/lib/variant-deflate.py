"""Packs gzip streams again, with another encoder of deflate streams.

usage: variant-deflate.py encoders                        lists the encoders that are here
       variant-deflate.py tiles ENCODER SOURCE TARGET     an MBTiles file with its tiles packed again
       variant-deflate.py gzip ENCODER SOURCE TARGET      a whole file as one gzip stream without name and time
       variant-deflate.py pmtiles SOURCE TARGET           an MBTiles file as PMTiles
"""

import importlib
import shutil
import sqlite3
import subprocess
import struct
import sys
import zlib

RAW = -15
# Names are a library or a program, and its level.
MODULES = {
    "zlib-1": "zlib", "zlib-6": "zlib", "zlib-9": "zlib",
    "zlib-ng-6": "zlib_ng.zlib_ng", "zlib-ng-9": "zlib_ng.zlib_ng",
    "isal-3": "isal.isal_zlib",
    "libdeflate-6": "deflate", "libdeflate-12": "deflate",
    "miniz-6": "miniz", "miniz-9": "miniz",
    "zopfli-5": "zopfli.zlib",
}
PROGRAMS = {
    "gzip-9": ["gzip", "-n", "-9", "-c"],
    "pigz-9": ["pigz", "-n", "-9", "-c"],
    "7zip-9": ["7z", "a", "-an", "-tgzip", "-mx=9", "-mmt=1", "-si", "-so"],
}


def gzip_body(data):
    """The deflate stream in a gzip file, which may have a name."""
    at, flags = 10, data[3]
    if flags & 4:
        at += 2 + struct.unpack_from("<H", data, at)[0]
    for flag in 8, 16:
        if flags & flag:
            at = data.index(0, at) + 1
    return data[at + (2 if flags & 2 else 0) : -8]


def encoder(name):
    """A function that makes a raw deflate stream; None where its library or program is missing."""
    if command := PROGRAMS.get(name):
        if not shutil.which(command[0]):
            return None
        return lambda data: gzip_body(subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True).stdout)
    try:
        module = importlib.import_module(MODULES[name])
    except ImportError:
        return None
    level = int(name.rsplit("-", 1)[1])
    if MODULES[name] == "deflate":
        return lambda data: bytes(module.deflate_compress(data, level))
    if MODULES[name] == "miniz":
        return lambda data: module.Miniz.compress(data, level)[2:-4]
    if MODULES[name] == "zopfli.zlib":
        # Large data takes minutes with more iterations.
        return lambda data: module.compress(data, numiterations=level if len(data) < 1 << 20 else 1)[2:-4]

    def compress(data):
        stream = module.compressobj(level, module.DEFLATED, RAW)
        return stream.compress(data) + stream.flush()

    return compress


def gzip(data, encode):
    head = bytes([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3])
    packed = encode(data)
    if zlib.decompress(packed, RAW) != data:
        raise ValueError("an encoder lost data")
    return head + packed + struct.pack("<II", zlib.crc32(data), len(data) & 0xFFFFFFFF)


def write_tiles(name, source, target):
    encode = encoder(name)
    shutil.copyfile(source, target)
    base = sqlite3.connect(target, isolation_level=None)
    base.execute("pragma journal_mode = off")
    is_table = base.execute("select 1 from sqlite_schema where name = 'tiles' and type = 'table'").fetchone()
    table = "tiles" if is_table else "images"
    base.execute("begin")
    for row, tile in base.execute(f"select rowid, tile_data from {table}").fetchall():
        if tile is not None and tile[:2] == b"\x1f\x8b":
            packed = gzip(zlib.decompress(tile, 31), encode)
            base.execute(f"update {table} set tile_data = ? where rowid = ?", (packed, row))
    base.execute("commit")
    base.execute("vacuum")
    base.close()


def write_gzip(name, source, target):
    with open(source, "rb") as file, open(target, "wb") as packed:
        packed.write(gzip(file.read(), encoder(name)))


def write_pmtiles(source, target):
    from pmtiles.convert import mbtiles_to_pmtiles

    mbtiles_to_pmtiles(source, target, None)


def main():
    command, *words = sys.argv[1:]
    if command == "encoders":
        for name in [*MODULES, *PROGRAMS]:
            if encoder(name):
                print(name)
            else:
                print(f"variants: {name} is missing: its kinds are left out", file=sys.stderr)
    else:
        {"tiles": write_tiles, "gzip": write_gzip, "pmtiles": write_pmtiles}[command](*words)


main()
