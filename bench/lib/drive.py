"""A vehicle drives across a made-up country and back, and its maps follow it (bench/drive.sh).

Packages are squares of half a degree, 256 KiB each. The vehicle tells its place each minute and updates each hour. Time
passes by making older what the device has written down, so a day takes a minute.
"""

import json
import math
import os
import random
import resource
import subprocess
import sys

sys.path.insert(0, f"{os.path.dirname(os.path.realpath(__file__))}/../../scripts/lib")
from older import older  # noqa: E402

SIDE, SIZE = 0.5, 256 << 10
COLUMNS, ROWS = 24, 10
SPEED = 90  # km/h
WEST, SOUTH = 4.0, 46.0


def publish(program, folder):
    """A release with all packages."""
    for column in range(COLUMNS):
        for row in range(ROWS):
            path = f"{folder}/input/square/{column:02d}-{row:02d}"
            os.makedirs(path)
            with open(f"{path}/base.bin", "wb") as file:
                file.write(random.Random(f"{column} {row}").randbytes(SIZE))
            south, west = SOUTH + row * SIDE, WEST + column * SIDE
            with open(f"{path}/map.xml", "w", encoding="ascii") as file:
                file.write(f'<map><bounds south="{south}" west="{west}" north="{south + SIDE}" east="{west + SIDE}"/></map>')
    subprocess.run([program, "init", f"{folder}/repository"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([program, "release", f"{folder}/repository", f"{folder}/input", "--label", "1", "--quiet"], check=True)


def places(hours):
    """Where the vehicle is, minute by minute: east along a wave, then a night at the far end, then back."""
    step = SPEED / 60 / (111.2 * math.cos(math.radians(SOUTH + 2.5)))
    drive, longitude = [], WEST + 1
    while longitude < WEST + COLUMNS * SIDE - 1:
        drive.append((SOUTH + 2.5 + 1.5 * math.sin((longitude - WEST) / 2), longitude))
        longitude += step
    rest = [drive[-1]] * (60 * hours)
    return drive + rest + drive[::-1]


class Device:
    """The program, its store, and what it writes."""

    def __init__(self, program, folder, limit):
        self.root, self.program, self.configuration = f"{folder}/device", program, f"{folder}/conf"
        self.written = 0
        with open(self.configuration, "w", encoding="ascii") as file:
            file.write(f"root = {self.root}\nrepository = file://{folder}/repository\n"
                       f"trusted_root = {folder}/repository/metadata/1.root.json\nspace_reserve = 0\n"
                       f"area_radius = 50K\narea_keep = 1d\nstorage_limit = {limit}\n")

    def run(self, *words):
        """The events of a command."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_oublock
        result = subprocess.run([self.program, "--config", self.configuration, "--json", *words],
                                stdout=subprocess.PIPE, check=True)
        self.written += 512 * (resource.getrusage(resource.RUSAGE_CHILDREN).ru_oublock - before)
        return [json.loads(line) for line in result.stdout.splitlines()]

    def used(self):
        """As du(1) counts it."""
        return int(subprocess.run(["du", "-s", "-B1", self.root], stdout=subprocess.PIPE, check=True).stdout.split()[0])


def main():
    updater, publisher, folder, limit = sys.argv[1:5]
    publish(publisher, folder)
    device = Device(updater, folder, limit)
    device.run("check")
    print("| hour | place | come | go | maps | downloaded, MB | store, MB | position: noted, written, KB | update: written, MB |")
    print("| --: | --- | --: | --: | --: | --: | --: | --: | --: |")
    noted = most = missing = 0
    sums = {"position": 0, "update": 0, "download": 0}
    for minute, (latitude, longitude) in enumerate(places(9)):
        if minute:
            older(device.root, 60)
        result = device.run("position", f"{latitude:.5f}", f"{longitude:.5f}")[-1]
        noted += result["noted"]
        most = max(most, result["peakResident"])
        if minute % 60:
            continue
        of_positions, device.written = device.written, 0
        events = device.run("apply")
        areas = [event for event in events if event["event"] == "area"]
        downloaded = sum(event["download"] for event in areas)
        listed = [event for event in device.run("list", "--installed") if event["event"] == "package"]
        around = [event for event in device.run("near", f"{latitude:.5f}", f"{longitude:.5f}", "--radius", "50K")
                  if event["event"] == "package"]
        missing += sum(event["state"] != "installed" for event in around)
        used = device.used()
        assert used <= int(limit), (used, limit)
        print(f"| {minute // 60} | {latitude:.2f} {longitude:.2f} | {sum(len(event['coming']) for event in areas)}"
              f" | {sum(len(event['going']) for event in areas)} | {len(listed)} | {downloaded / 1e6:.1f}"
              f" | {used / 1e6:.1f} | {noted}, {of_positions / 1e3:.0f} | {device.written / 1e6:.1f} |")
        sums["position"] += of_positions
        sums["update"] += device.written
        sums["download"] += downloaded
        hours = minute // 60 + 1
        noted = device.written = 0
    print()
    print(f"In {hours} hours: {sums['position'] / 1e3 / hours:.0f} KB an hour written for positions, "
          f"{sums['update'] / 1e6 / hours:.2f} MB for updates, which downloaded {sums['download'] / 1e6 / hours:.2f} MB; "
          f"packages around the place that were missing after an update: {missing}; peak of `position`: {most >> 10} KiB.")


main()
