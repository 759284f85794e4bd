"""Watches the free space of a file system until its standard input ends.

usage: free-space.py DIRECTORY OUTPUT      writes "START MOST LEAST" in bytes to OUTPUT; prints a line once it watches
"""

import os
import select
import sys

PAUSE = 0.0002


def main():
    directory = os.open(sys.argv[1], os.O_RDONLY)
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    except OSError:
        pass

    def free():
        status = os.statvfs(directory)
        return status.f_bavail * status.f_frsize

    start = most = least = free()
    print("watching", flush=True)
    while not select.select([sys.stdin], [], [], PAUSE)[0]:
        now = free()
        most, least = max(most, now), min(least, now)
    with open(sys.argv[2], "w") as file:
        print(start, most, least, file=file)


main()
