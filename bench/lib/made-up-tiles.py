"""Makes a package of many small files: usage: made-up-tiles.py FILES RELEASE FOLDER

Files of 1 to 50 kB, of words and numbers; in release 2 every hundredth has three small changes.
"""

import os
import random
import sys

files, release, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
words = [f"w{number}" * (1 + number % 3) for number in range(4000)]


def content(source, size):
    parts, count = [], 0
    while count < size:
        parts.append(f"{source.choice(words)} {source.randrange(10 ** source.randrange(1, 7))},")
        count += len(parts[-1])
    return bytearray("".join(parts)[:size].encode())


os.makedirs(f"{folder}/tiles", exist_ok=True)
with open(f"{folder}/tiles/map.xml", "w", encoding="ascii") as file:
    file.write('<map package="tree"/>\n')
changed = set(random.Random(9).sample(range(files), max(1, files // 100))) if release > 1 else set()
for number in range(files):
    source = random.Random(number)
    data = content(source, source.randrange(1000, 50000))
    if number in changed:
        for _ in range(3):
            place = source.randrange(len(data))
            data[place:place + source.randrange(40)] = b"changed %d" % source.randrange(10**6)
    path = f"{folder}/tiles/{number // 1000}/{number // 50 % 20}/{number % 50}.pbf"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)
