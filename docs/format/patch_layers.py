"""The layers of a patch that apply-patch.py executes: head, frames, sections and blocks of docs/format/patch.md."""

import hashlib
import lzma

import sorted_section
from patch_reader import Invalid, Reader, require, zigzag

MAXIMUM_FILE = 1 << 48


class Head:
    def __init__(self, patch):
        reader = Reader(patch)
        require(reader.take(3) == b"TUP", "not a patch")
        self.size = reader.fixed(1)
        require(18 <= self.size <= 42, "size of the head")
        reader = Reader(patch[: self.size])
        reader.take(4)
        codecs = reader.fixed(1)
        self.has_sorted_sections, code = codecs >= 0x80, codecs & 0x7F
        require(code <= 28, "dictionary")
        self.dictionary = (2 + code % 2) << (code // 2 + 11) if code else 0
        self.payload, self.block, self.content = reader.number(), reader.number(), reader.number()
        require(1 <= self.payload <= 1 << 20, "largest payload")
        require(1 <= self.block <= 4 << 20, "largest block")
        require(self.content <= 4 << 20, "largest content")
        self.new_size, old = reader.number(), reader.number()
        self.old_size = self.new_size + zigzag(old - 1) if old else 0
        require(self.new_size <= MAXIMUM_FILE, "size of the new file")
        require(min(old, 1) <= self.old_size <= MAXIMUM_FILE, "size of the old file")
        self.new_check = reader.take(8)
        self.old_check = reader.take(4) if old else b""
        require(reader.left() == 0, "size of the head")


def frames(patch, head, digest):
    """Yields (start of a section or None, whether it is sorted, payload) of each frame, after its digest was verified."""
    reader = Reader(patch)
    reader.take(head.size)
    begin = 0  # the digest of the first frame includes the head
    is_last = head.new_size == 0
    if is_last:
        require(digest in (None, hashlib.sha256(patch[: head.size]).digest()), "digest of the head")
    while not is_last:
        word = reader.fixed(3)
        require(word & 0x100000 == 0, "reserved bit of a frame")
        is_last = word & 0x800000 != 0
        following = None if is_last else reader.take(32)
        start = reader.fixed(6) if word & 0x400000 else 0 if begin == 0 else None
        size = (word & 0xFFFFF) + 1
        require(size <= head.payload, "a payload is larger than the head declares")
        payload = reader.take(size)
        if digest is not None:
            require(hashlib.sha256(patch[begin : reader.offset]).digest() == digest, "digest of a frame")
        yield start, word & 0x200000 != 0, payload
        begin, digest = reader.offset, following
    require(reader.left() == 0, "data after the last frame")


class Section:
    def __init__(self, head, is_sorted):
        require(head.has_sorted_sections or not is_sorted, "a section is sorted")
        self.head, self.is_sorted, self.data, self.is_finished = head, is_sorted, b"", False
        filters = [{"id": lzma.FILTER_LZMA2, "dict_size": head.dictionary}]
        self.decoder = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=filters) if head.dictionary else None

    def add(self, payload):
        require(not self.is_finished, "a frame follows the end of its section")
        if self.is_sorted:
            self.data += payload
            return
        try:
            self.data += self.decoder.decompress(payload) if self.decoder else payload
        except lzma.LZMAError as error:
            raise Invalid(f"LZMA2: {error}") from None
        self.is_finished = self.decoder is None or self.decoder.eof
        require(self.decoder is None or not self.decoder.unused_data, "a section ends before its frame")

    def finish(self):
        if self.is_sorted:
            reader = Reader(self.data)
            self.data, self.is_finished = sorted_section.decode(reader), True
            require(reader.left() == 0, "a section ends before its frame")
        require(self.is_finished, "a section does not end")

    def blocks(self):
        reader = Reader(self.data)
        while reader.left():
            size = reader.number()
            require(1 <= size <= self.head.block, "size of a block")
            yield Block(reader.take(size))


class Block:
    def __init__(self, data):
        reader = Reader(data)
        mask = reader.fixed(1)
        require(0 < mask < 0x80, "columns of a block")
        present = [column for column in range(7) if mask >> column & 1]
        sizes = [reader.number() for _ in present[:-1]]
        columns = [Reader(b"")] * 7
        for column, size in zip(present, sizes + [None]):
            columns[column] = Reader(reader.take(reader.left() if size is None else size))
        self.operations, self.copies, self.runs, self.differences = columns[:4]
        self.numbers, self.targets, self.literals = columns[4:]
        self.columns = columns
        self.equal = self.different = 0  # the rest of the current pair of runs

    def add_differences(self, source):
        result, index = bytearray(source), 0
        while index < len(result):
            if self.equal == 0 and self.different == 0:
                if self.runs.left() == 0:
                    break  # the rest equals the source
                self.equal, self.different = self.runs.number(), self.runs.number()
            equal = min(self.equal, len(result) - index)
            self.equal -= equal
            index += equal
            different = min(self.different, len(result) - index)
            self.different -= different
            for byte in self.differences.take(different):
                result[index] = (result[index] + byte) & 0xFF
                index += 1
        return bytes(result)
