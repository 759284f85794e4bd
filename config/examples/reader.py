#!/usr/bin/env python3
"""How a program reads maps that tinyupdater may replace at any moment: docs/readers.md.

usage: reader.py [--watch | --check] [ROOT]      (with bindings/python/tinyupdater.py where Python finds it)

Prints the release and every map, and exits with 1 if a map cannot be read as a whole.
  --watch  repeats that whenever the maps change; lets go of maps that are to be replaced in place
  --check  reads all maps of one release, then of the one that is current then, and so on, until SIGTERM or SIGINT;
           prints each change of the release, each failure, and the counts
"""

import signal
import sys

import tinyupdater


def is_whole(maps: tinyupdater.Maps, map: tinyupdater.Map) -> bool:
    if map.is_directory:
        return True
    try:
        with maps.open(map) as file:
            size = file.tell()
            while piece := file.read(1 << 16):
                size += len(piece)
            return size == map.size
    except OSError:
        return False


def look(maps: tinyupdater.Maps, is_quiet: bool, last: int) -> bool:
    if maps.number and (not is_quiet or maps.number != last):
        print(maps.directory, "release", maps.number, maps.label, flush=True)
    wrong = [map.path for map in maps if not is_whole(maps, map)]
    for map in maps:
        if map.path in wrong or not is_quiet:
            print(map.path, "cannot be read as a whole" if map.path in wrong else "ok", flush=True)
    return not wrong


def main() -> int:
    mode = sys.argv[1] if sys.argv[1:2] in (["--watch"], ["--check"]) else ""
    words = sys.argv[2 if mode else 1 :]
    is_stopped = False

    def stop(number: int, frame: object) -> None:
        nonlocal is_stopped
        is_stopped = True

    if mode == "--check":
        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, stop)
    views = failures = last = 0
    with tinyupdater.Loader(root=words[0] if words else None) as loader:
        maps = None
        while True:
            if maps is not None and maps.state == tinyupdater.State.WANTED:
                maps = maps.release()
            try:
                following = loader.hold()
            except tinyupdater.TinyUpdaterError as error:
                if error.result != tinyupdater.Result.BUSY or mode != "--watch":
                    print(f"reader: {error}", file=sys.stderr)
                    return 1
            else:
                # Only now: there is no moment without maps.
                if maps is not None:
                    maps.release()
                maps = following
                failures += not look(maps, mode == "--check", last)
                views += 1
                last = maps.number
            if mode == "--watch":
                loader.wait_for_maps()
            elif mode == "" or is_stopped:
                break
    if mode == "--check":
        print(views, "views,", failures, "failures")
    if last == 0:
        print("reader: nothing is installed", file=sys.stderr)
        return 2
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
