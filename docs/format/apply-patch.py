#!/usr/bin/env python3
"""Reference applier for TinyUpdater patches: docs/format/patch.md as a program.

usage: apply-patch.py OLD PATCH NEW [DIGEST]

OLD is the old file, or /dev/null for a packed component.
NEW is written only if the patch is valid.
DIGEST is the catalog's `head`: SHA-256 of the head and the first frame. Without it, only the checks in the head connect
the patch with its files.

It needs Python 3 with zlib 1.2.13 and lzma, and keeps everything in memory. A device needs constant memory, but makes
the same bytes and rejects the same patches.
"""

import hashlib
import math
import struct
import sys
import zlib

sys.dont_write_bytecode = True  # the modules below lie beside this file
from guided_deflate import guided_deflate, split_guide, take_predictor
from patch_layers import MAXIMUM_FILE, Head, Section, frames
from patch_reader import Invalid, require

MAXIMUM_EXTENTS = 4096
SMALLEST_WINDOW = 128 << 10


class Stream:
    """A deflate stream of the new file whose content is being made."""

    def __init__(self, destinations, encoder, size, old_content):
        self.destinations, self.encoder, self.size, self.old_content = destinations, encoder, size, old_content
        self.content = bytearray()  # with the guide before it
        self.inflated = 0  # the furthest byte of the old content that copies have taken

    def check_window(self, low, high, is_reversed, window):
        """Of an old content that is larger than the window, only what is shortly before the furthest byte is held."""
        inflated = max(self.inflated, high if is_reversed else 0)
        if inflated > window:
            require(low >= inflated - (window - window // 4), "a copy from before the window")
        self.inflated = max(self.inflated, high)


class Executor:
    def __init__(self, head, old):
        self.head, self.old, self.new = head, old, bytearray(head.new_size)
        self.position = 0  # of the next byte of the new file that is outside of streams
        self.reserved = []  # destinations of streams at or after `position`, in the order of the file
        self.stream = None
        self.gap = None  # bytes outside of streams until the next one begins; None: none begins in this block
        self.start_section()

    def start_section(self):
        self.cursors = {"old": 0, "earlier old": 0, "new": 0}  # where copies have ended
        self.sources_end = 0  # where the last source of a stream ended
        self.integers = [0, 0, 0]  # the last ones, the newest first
        self.recent = bytes(24)  # the last bytes that were made, in the file and in contents

    def run_section(self, section):
        if section is None:
            return
        section.finish()
        self.start_section()
        for block in section.blocks():
            self.run(block)
        self.advance(None)
        require(not self.stream and not self.reserved, "a section ends with a stream or extent open")

    def run(self, block):
        has_operations = block.operations.left() > 0
        require(block.copies.left() + block.literals.left() > 0, "a block makes nothing")
        if not self.stream:
            self.read_gap(block)
        while block.copies.left():
            operation = block.operations.fixed(1) if has_operations else 0
            self.make_literals(block, block.copies.number())
            self.advance(block)
            self.execute(operation & 7, operation >> 3, block)
        self.make_literals(block, block.literals.left())
        used_up = all(column.left() == 0 for column in block.columns) and block.equal == block.different == 0
        require(used_up and self.gap is None, "a column is not used up")

    # Output position

    def advance(self, block):
        """Ends streams, passes reserved extents and begins streams, until a byte can be made."""
        while True:
            if self.stream and len(self.stream.content) == self.stream.size:
                self.end_stream()
                self.read_gap(block)
            elif not self.stream and self.reserved and self.reserved[0][0] == self.position:
                self.position = self.reserved.pop(0)[1]
            elif not self.stream and self.gap == 0:
                self.begin_stream(block.targets)
            else:
                return

    def read_gap(self, block):
        if block and block.targets.left():
            self.gap = block.targets.number()

    def make(self, data, unit=1):
        """Makes bytes of the content, or of the new file around the reserved extents; units are not split."""
        self.recent = (self.recent + data)[-24:]
        if self.stream:
            require(len(self.stream.content) + len(data) <= self.stream.size, "a content ends within an operation")
            self.stream.content += data
            return
        while data:
            while self.reserved and self.reserved[0][0] == self.position:
                self.position = self.reserved.pop(0)[1]
            limit = self.reserved[0][0] if self.reserved else self.head.new_size
            piece = min(len(data), limit - self.position) // unit * unit
            require(piece > 0, "the new file or the room for a unit ends within an operation")
            if self.gap is not None:
                require(piece <= self.gap, "a stream begins within an operation")
                self.gap -= piece
            self.new[self.position : self.position + piece] = data[:piece]
            self.position += piece
            data = data[piece:]

    def make_literals(self, block, count):
        literals = block.literals.take(count)
        while literals:
            self.advance(block)
            room = len(literals)
            if self.stream:
                room = min(room, self.stream.size - len(self.stream.content))
            elif self.gap is not None:
                room = min(room, self.gap)
            self.make(literals[:room])
            literals = literals[room:]

    # Operations

    def execute(self, code, parameter, block):
        if code in (4, 5, 6):
            require(parameter < 30, "unknown operation")
            return self.make_numbers(code, parameter // 3, parameter % 3 + 1, block)
        is_reversed = code in (2, 3)
        require(parameter < (8 if is_reversed else 1), "unknown operation")
        unit = 8 * (parameter % 4 + 1) if is_reversed else 1
        name = {0: "old", 1: "new", 2: "old", 3: "new", 7: "earlier old"}[code]
        start = self.cursors[name] + block.copies.delta()
        count = block.copies.number()
        if name == "new":
            require(not self.stream, "a copy of the new file within a stream")
            source = memoryview(self.new)[: self.position]
        else:
            source = self.stream.old_content if self.stream else self.old
        low = start - (count - 1) * unit if is_reversed else start
        high = start + unit if is_reversed else start + count
        require(count > 0 and 0 <= low < high <= len(source), "a copy from outside of its source")
        data = bytes(source[low:high])
        del source
        if self.stream and len(self.stream.old_content) > self.head.content:
            self.stream.check_window(low, high, is_reversed, self.head.content)
        if is_reversed:
            data = b"".join(data[offset : offset + unit] for offset in range(len(data) - unit, -1, -unit))
        if not is_reversed or parameter >= 4:
            data = block.add_differences(data)
        end = low if is_reversed else high
        if name == "new":
            self.cursors["new"] = end
        else:
            self.cursors["earlier old"], self.cursors["old"] = self.cursors["old"], end
        self.make(data, unit)

    def make_numbers(self, base, decimals, stride, block):
        power = 10.0**decimals
        if base == 5:  # output
            for (double,) in struct.iter_unpack("<d", self.recent[24 - 8 * stride :]):
                scaled = double * power
                is_exact = -(2.0**53) < scaled < 2.0**53  # false if it is not a number
                self.remember(math.trunc(scaled + (-0.5 if scaled < 0 else 0.5)) if is_exact else 0)
        elif base == 6:  # skipped
            self.remember(self.integers[stride - 1])
        count = block.copies.number()
        require(count > 0, "an operation makes nothing")
        for _ in range(count):
            integer = self.integers[stride - 1] + block.numbers.delta()
            require(abs(integer) <= 1 << 53, "an integer out of bounds")
            self.remember(integer)
            self.make(struct.pack("<d", integer / power), 8)

    def remember(self, integer):
        self.integers = [integer, *self.integers[:2]]

    # Streams

    def begin_stream(self, targets):
        first = targets.fixed(1)
        if first & 15:
            encoder, guide_size = zlib_encoder(first, targets.fixed(1), targets.fixed(1)), 0
        else:
            predictor, guide_size = take_predictor(first, targets), targets.number()
            require(1 <= guide_size <= MAXIMUM_FILE, "size of a guide")
            encoder = lambda made: guided_deflate(predictor, *split_guide(made, guide_size))
        size = targets.number()
        require(1 <= size <= MAXIMUM_FILE and self.head.content > 0, "size of a content")
        count = targets.number()
        require(1 <= count <= MAXIMUM_EXTENTS, "number of destinations")
        destinations = take_extents(targets, count, self.position, self.position, self.head.new_size)
        self.reserved = sorted(self.reserved + destinations)
        require(len(self.reserved) <= MAXIMUM_EXTENTS, "reserved extents")
        for (_, end), (start, _) in zip(self.reserved, self.reserved[1:]):
            require(end <= start, "extents overlap")
        self.stream = Stream(destinations, encoder, guide_size + size, self.read_old_content(targets))
        self.gap = None
        self.outer_cursors = self.cursors
        self.cursors = {"old": 0, "earlier old": 0, "new": 0}

    def read_old_content(self, targets):
        count = targets.number()
        require(count <= MAXIMUM_EXTENTS, "number of sources")
        if count == 0:
            return b""
        inflater = zlib.decompressobj(window_bits(targets.fixed(1), 15))
        sources = take_extents(targets, count, self.sources_end, 0, len(self.old))
        self.sources_end = sources[-1][1]
        try:
            content = inflater.decompress(b"".join(self.old[start:end] for start, end in sources))
        except zlib.error as error:
            raise Invalid(f"old stream: {error}") from None
        is_held = len(content) <= self.head.content
        require(is_held or self.head.content >= SMALLEST_WINDOW, "size of an old content")
        require(inflater.eof and not inflater.unused_data, "an old stream does not end with its sources")
        return content

    def end_stream(self):
        data = self.stream.encoder(bytes(self.stream.content))
        require(len(data) == sum(end - start for start, end in self.stream.destinations), "size of a stream")
        for start, end in self.stream.destinations:
            self.new[start:end], data = data[: end - start], data[end - start :]
        self.stream, self.cursors = None, self.outer_cursors


def window_bits(wrapper, bits):
    """As zlib takes them: wrapper 0 is raw deflate, 1 zlib, 2 gzip."""
    require(wrapper <= 2, "wrapper of a stream")
    return (-bits, bits, bits + 16)[wrapper]


def zlib_encoder(first, second, wrapper):
    level, bits, memory, strategy = first & 15, first >> 4, second & 15, second >> 4
    require(1 <= level <= 9 and 9 <= bits <= 15 and 1 <= memory <= 9 and strategy <= 4, "stream parameters")

    def encode(content):
        deflater = zlib.compressobj(level, zlib.DEFLATED, window_bits(wrapper, bits), memory, strategy)
        return deflater.compress(content) + deflater.flush(zlib.Z_FINISH)

    window_bits(wrapper, bits)
    return encode


def take_extents(targets, count, end, lowest, limit):
    """Pairs of start and end; each start is coded relative to the end of the extent before."""
    extents = []
    for _ in range(count):
        start = end + targets.delta()
        end = start + targets.number()
        require(lowest <= start < end <= limit, "an extent out of bounds")
        extents.append((start, end))
    return extents


def apply(old, patch, digest=None):
    head = Head(patch)
    old = old if head.old_size else b""
    require(len(old) == head.old_size, f"the old file has {len(old)} bytes, the patch expects {head.old_size}")
    executor, section, section_start = Executor(head, old), None, -1
    for start, is_sorted, payload in frames(patch, head, digest):
        if start is not None:
            executor.run_section(section)
            require(section_start < start == executor.position < head.new_size, "start of a section")
            section, section_start = Section(head, is_sorted), start
        require(start is not None or not is_sorted, "a sorted section begins within another one")
        section.add(payload)
    executor.run_section(section)
    require(executor.position == head.new_size, "the new file is not complete")
    is_old = hashlib.sha256(old).digest()[: len(head.old_check)] == head.old_check
    is_new = hashlib.sha256(executor.new).digest()[:8] == head.new_check
    require(is_new, "the new file has other bytes" if is_old else "the patch is for another old file")
    return bytes(executor.new)


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit("usage: apply-patch.py OLD PATCH NEW [DIGEST]")
    with open(sys.argv[1], "rb") as old, open(sys.argv[2], "rb") as patch:
        try:
            new = apply(old.read(), patch.read(), bytes.fromhex(sys.argv[4]) if len(sys.argv) == 5 else None)
        except Invalid as problem:
            note = ""
            if zlib.ZLIB_RUNTIME_VERSION != "1.2.13":
                note = f"\nThis is zlib {zlib.ZLIB_RUNTIME_VERSION}; deflate streams need the bytes that 1.2.13 makes."
            sys.exit(f"apply-patch: {problem}{note}")
    with open(sys.argv[3], "wb") as file:
        file.write(new)


if __name__ == "__main__":
    main()
