"""Reads what QEMU's blklogwrites driver recorded of a block device, in the format of Linux's dm-log-writes.

A superblock in the first sector, then for each request a header in a sector of its own, followed by the bytes of a write.
"""

import mmap
import struct
from dataclasses import dataclass

SECTOR = 512
MAGIC = 0x6A736677736872
FLUSH, FUA, DISCARD, MARK = 1, 2, 4, 8


@dataclass(frozen=True)
class Request:
    """A write (with bytes) or a flush (without any), and where the recording ended after it."""

    offset: int
    data: memoryview
    is_flush: bool
    end: int


def read(path):
    """All requests in the order in which the device carried them out."""
    with open(path, "rb") as file:
        log = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    magic, version, _, sector_size = struct.unpack_from("<QQQI", log)
    if magic != MAGIC or version != 1 or sector_size != SECTOR:
        raise ValueError(f"{path} is not a recording of block writes")
    requests = []
    at = SECTOR
    while at + SECTOR <= len(log):
        sector, count, flags, mark = struct.unpack_from("<QQQQ", log, at)
        length = mark if flags & MARK else 0 if flags & DISCARD else count * SECTOR
        data = log[at + SECTOR : at + SECTOR + length]
        at += SECTOR + -(-length // SECTOR) * SECTOR
        # What a discard leaves is undefined: the old bytes are one possibility, so it changes nothing here.
        if len(data) and not flags & MARK:
            requests.append(Request(sector * SECTOR, data, False, at))
        if flags & (FLUSH | FUA):
            requests.append(Request(0, data[:0], True, at))
    return requests
