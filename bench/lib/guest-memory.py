"""Runs a program under qemu's user emulation and prints the most memory that it had resident, in KiB, without the emulator's own.

usage: guest-memory.py EMULATOR PROGRAM ARGUMENT…      (its output is dropped; exit codes 0 and 10 are fine)

The emulator keeps the program's addresses in one range of its own, which is asked for here. What is resident in it
(/proc/PID/smaps: program, heap, stack) is read again and again until the program ends, a few hundred times a second,
so a peak that is shorter than some milliseconds can be missed; emulation is slow, which makes peaks long.
"""

import re
import subprocess
import sys

FIRST, SIZE = 0x100000000000, 0x8000000000


def resident(smaps):
    total, inside = 0, False
    for line in smaps.splitlines():
        mapping = re.match(r"([0-9a-f]+)-[0-9a-f]+ ", line)
        if mapping:
            inside = FIRST <= int(mapping[1], 16) < FIRST + SIZE
        elif inside and line.startswith("Rss:"):
            total += int(line.split()[1])
    return total


def main():
    emulator, command = sys.argv[1], sys.argv[2:]
    # All addresses of a program of 32 bits are reserved anyway.
    options = ["-B", hex(FIRST)] + ([] if emulator.startswith("qemu-arm") else ["-R", hex(SIZE)])
    process = subprocess.Popen([emulator, *options, *command], stdout=subprocess.DEVNULL)
    peak = samples = 0
    while process.poll() is None:
        try:
            with open(f"/proc/{process.pid}/smaps", encoding="ascii", errors="replace") as file:
                peak = max(peak, resident(file.read()))
        except OSError:
            continue
        samples += 1
    if process.returncode not in (0, 10) or samples < 20 or peak == 0:
        sys.exit(f"guest-memory: exit {process.returncode}, {samples} samples of {command[0]}")
    print(peak)


main()
