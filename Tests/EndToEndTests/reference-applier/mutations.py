"""Flips every STEPth bit of a patch: writes FOLDER/BIT, and prints BIT and the digest of the file that the reference applier
makes of it, or "rejected".

usage: mutations.py APPLIER OLD PATCH FOLDER STEP
"""

import hashlib
import importlib.util
import os
import sys

sys.dont_write_bytecode = True

path, old, patch, folder, step = sys.argv[1:]
sys.path.insert(0, os.path.dirname(path))  # its modules lie beside it
spec = importlib.util.spec_from_file_location("applier", path)
applier = importlib.util.module_from_spec(spec)
spec.loader.exec_module(applier)
old, patch = open(old, "rb").read(), open(patch, "rb").read()

for bit in range(0, 8 * len(patch), int(step)):
    damaged = bytearray(patch)
    damaged[bit // 8] ^= 1 << bit % 8
    open(f"{folder}/{bit}", "wb").write(damaged)
    try:
        print(bit, hashlib.sha256(applier.apply(old, bytes(damaged))).hexdigest())
    except applier.Invalid:
        print(bit, "rejected")
