"""Writes a made-up world: many small packages in regions, as `tinypublish release` reads them; always the same ones.

usage: made-up-world.py PACKAGES RELEASE DIRECTORY [together]      writes DIRECTORY, which must not exist

together: the packages of a region and the regions of a country lie beside each other, as those of real maps do;
otherwise packages lie anywhere.

A package has about 2 kB of data, of one of 50 sizes, and a polygon of 40 points. A region has 100 packages, a country 50 regions. From one release
to the next a few bytes of every package change.
"""

import math
import os
import random
import sys

BYTES = 2000
POINTS = 40


def data(number, release):
    """The map of a package: words of its own, and a few bytes that each release changes."""
    chance = random.Random(f"package {number}")
    content = bytearray(chance.randbytes(BYTES // 2 + number % 50).hex().encode())
    for change in range(1, release):
        content[random.Random(f"{number} {change}").randrange(BYTES)] ^= 1
    return bytes(content)


def corner(region):
    """Where the regions of a country lie together: 7 in a row."""
    chance = random.Random(f"country {region // 50}")
    row, column = divmod(region % 50, 7)
    return chance.uniform(-60, 40) + row * 3, chance.uniform(-170, 140) + column * 3


def description(number, together):
    """The package's names, box and polygon: a ring around a place of its own."""
    chance = random.Random(f"place {number}")
    latitude, longitude = chance.uniform(-60, 70), chance.uniform(-170, 170)
    if together:
        south, west = corner(number // 100)
        row, column = divmod(number % 100, 10)
        latitude, longitude = south + row * 0.3, west + column * 0.3
    ring = []
    for point in range(POINTS):
        angle, radius = 2 * math.pi * point / POINTS, chance.uniform(0.1, 0.2)
        ring.append(f"{latitude + radius * math.sin(angle):.4f},{longitude + radius * math.cos(angle):.4f}")
    return (
        f'<map><name>Place {number}</name><name xml:lang="de">Ort {number}</name>'
        f'<bounds south="{latitude - 0.2:.4f}" west="{longitude - 0.2:.4f}" north="{latitude + 0.2:.4f}" '
        f'east="{longitude + 0.2:.4f}"/><polygon>{" ".join(ring)}</polygon></map>'
    )


def main():
    packages, release, directory = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    together = sys.argv[4:] == ["together"]
    os.mkdir(directory)
    for number in range(packages):
        region = number // 100
        country = f"{directory}/country{region // 50:03}"
        part = f"{country}/part{region % 50:02}"
        if number % 100 == 0:
            os.makedirs(part)
            with open(f"{part}/map.xml", "w") as file:
                file.write(f"<map><name>Part {region}</name></map>")
        place = f"{part}/place{number % 100:02}"
        os.mkdir(place)
        with open(f"{place}/map.xml", "w") as file:
            file.write(description(number, together))
        with open(f"{place}/base.gpkg", "wb") as file:
            file.write(data(number, release))


main()
