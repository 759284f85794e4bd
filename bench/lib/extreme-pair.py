"""Writes a pair of files that are extreme for a search of matches, always the same one for the same words.

usage: extreme-pair.py KIND BYTES OLD NEW

random      chance beside other chance: nothing matches
identical   chance, twice
reversed    chance, and its bytes from the last to the first
shuffled    doubles that rise, and the same in another order
zeros       zeros, and zeros with 1000 ones among them
periodic    a period of 1000 bytes, and one of 1001
repeated    a block of 64 KiB again and again, and the same with each tenth block changed in one byte
fibonacci   the Fibonacci word over two letters, and the same without its first 1000 letters

TYPE-repeated      one value again and again, and another one
TYPE-alternating   two values in turn, and two others
TYPE-rising        values that rise by little, and the same from a little later on

TYPE is doubles (points of two), floats (points of two), integers (of 32 bits) or strings (lines of text).
"""

import random
import struct
import sys

CHUNK = 1 << 20


def chunks(size):
    for start in range(0, size, CHUNK):
        yield min(CHUNK, size - start)


def noise(size, chance):
    return (chance.randbytes(length) for length in chunks(size))


def repeat(period, size):
    many = period * (CHUNK // len(period) + 2)
    start = 0
    for length in chunks(size):
        yield many[start : start + length]
        start = (start + length) % len(period)


def ones(size, chance):
    places = {chance.randrange(size) for _ in range(1000)}
    start = 0
    for length in chunks(size):
        part = bytearray(length)
        for place in places:
            if start <= place < start + length:
                part[place - start] = 1
        start += length
        yield bytes(part)


def changed_blocks(block, size, chance):
    for number, start in enumerate(range(0, size, len(block))):
        part = bytearray(block[: min(len(block), size - start)])
        if number % 10 == 9:
            part[chance.randrange(len(part))] ^= 1
        yield bytes(part)


def fibonacci(size):
    before, word = b"a", b"ab"
    while len(word) < size:
        before, word = word, word + before
    return word[:size]


def doubles(size, chance):
    value, values = 0.0, []
    for _ in range(size // 8):
        value += chance.random()
        values.append(struct.pack("<d", value))
    return values


# The doubles and floats are points that a search for lines does not leave out.
VALUES = {
    "doubles": [struct.pack("<dd", *point) for point in [(-180, -90), (180, 90), (80, 60), (8.55, 47.37)]],
    "floats": [struct.pack("<ff", *point) for point in [(-180, -90), (180, 90), (80, 60), (8.55, 47.37)]],
    "integers": [struct.pack("<i", number) for number in [1800000000, -900000000, 85500000, 473700000]],
    "strings": [word.encode() for word in ["residential\n", "service road\n", "footway\n", "tertiary link\n"]],
}


def rising(kind, number):
    if kind == "doubles":
        return struct.pack("<dd", 8 + number * 1e-7, 47 + number * 1e-7)
    if kind == "floats":
        return struct.pack("<ff", 8 + number * 1e-5, 47 + number * 1e-5)
    if kind == "integers":
        return struct.pack("<i", 80000000 + number)
    return b"node %d\n" % (80000000 + number)


def typed(kind, form, size):
    values = VALUES[kind]
    if form == "repeated":
        return repeat(values[0], size), repeat(values[2], size)
    if form == "alternating":
        return repeat(values[0] + values[1], size), repeat(values[2] + values[3], size)
    count = size // len(rising(kind, 0)) + 1
    return [b"".join(rising(kind, start + number) for number in range(count))[:size] for start in (0, 1234)]


def pair(kind, size, chance):
    if kind.split("-")[0] in VALUES:
        return typed(*kind.split("-"), size)
    if kind == "random":
        return noise(size, chance), noise(size, random.Random("another"))
    if kind == "identical":
        return noise(size, chance), noise(size, random.Random(f"{kind} {size}"))
    if kind == "reversed":
        old = chance.randbytes(size)
        return [old], [old[::-1]]
    if kind == "shuffled":
        values = doubles(size, chance)
        old = b"".join(values)
        chance.shuffle(values)
        return [old], values
    if kind == "zeros":
        return (bytes(length) for length in chunks(size)), ones(size, chance)
    if kind == "periodic":
        return repeat(chance.randbytes(1000), size), repeat(chance.randbytes(1001), size)
    if kind == "repeated":
        block = chance.randbytes(64 << 10)
        return repeat(block, size), changed_blocks(block, size, chance)
    if kind == "fibonacci":
        word = fibonacci(size + 1000)
        return [word[:size]], [word[1000:]]
    raise SystemExit(f"extreme-pair: there is no kind {kind}")


def main():
    kind, size, old, new = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
    for path, parts in zip((old, new), pair(kind, size, random.Random(f"{kind} {size}"))):
        with open(path, "wb") as file:
            file.writelines([parts] if isinstance(parts, bytes) else parts)


main()
