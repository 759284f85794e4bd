"""Prints how many bytes a patch of bsdiff takes with xz in place of bzip2.

usage: bsdiff-xz.py PATCH      (bsdiff 4: a head of 32 bytes, then controls, differences and extras, each packed by itself)
"""

import bz2
import lzma
import pathlib
import struct
import sys

patch = pathlib.Path(sys.argv[1]).read_bytes()
magic, controls, differences, _ = struct.unpack("<8sQQQ", patch[:32])
assert magic == b"BSDIFF40", "this is no patch of bsdiff 4"
cuts = [32, 32 + controls, 32 + controls + differences, len(patch)]
size = 32
for begin, end in zip(cuts, cuts[1:]):
    size += len(lzma.compress(bz2.decompress(patch[begin:end]), preset=9 | lzma.PRESET_EXTREME))
print(size)
