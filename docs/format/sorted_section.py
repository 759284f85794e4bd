"""Decodes the sorted sections of patches: docs/format/patch.md, "Sorted sections", as a program."""

from patch_reader import require

MAXIMUM_CHUNK = 224 << 10
LONG_RUN = 8


class Coder:
    """The range coder of LZMA without its first byte, with probabilities of 16 bits."""

    def __init__(self, reader):
        self.reader, self.range = reader, 0xFFFFFFFF
        self.code = int.from_bytes(reader.take(4), "big")

    def bit(self, probability):
        bound = (self.range >> 16) * min(max(probability, 16), 0xFFF0)
        bit = self.code < bound
        if bit:
            self.range = bound
        else:
            self.code -= bound
            self.range -= bound
        while self.range < 1 << 24:
            self.range = self.range << 8 & 0xFFFFFFFF
            self.code = (self.code << 8 | self.reader.fixed(1)) & 0xFFFFFFFF
        return bit


def adapt(table, entry, bit, rate):
    table[entry] += (0xFFFF - table[entry]) >> rate if bit else -(table[entry] >> rate)


class Model:
    """Lasts for a section."""

    def __init__(self):
        half = 1 << 15
        self.all, self.breaks = [half] * 256, [half] * 256
        self.after = [[half] * 256 for _ in range(256)]
        self.refinements = [[min(step << 12, 0xFFFF) for step in range(17)] for _ in range(512)]
        self.runs = [[60000] * 16 for _ in range(256)]

    def symbols(self, coder, size):
        """The bytes of a chunk, in the order of what follows them."""
        last = before_last = run = 0
        for _ in range(size):
            general, byte = self.all, None
            if run >= LONG_RUN:
                runs, entry = self.runs[last], min(run.bit_length() - 4, 15)
                goes_on = coder.bit(runs[entry])
                adapt(runs, entry, goes_on, 4)
                if goes_on:
                    byte = last
                else:
                    general = self.breaks
            if byte is None:
                byte = self.byte(coder, general, last, before_last, run)
            run = run + 1 if byte == last else 0
            last, before_last = byte, last
            yield byte

    def byte(self, coder, general, last, before_last, run):
        node = 1
        while node < 256:
            mean = (7 * (general[node] + self.after[last][node]) + 2 * self.after[before_last][node]) >> 4
            table, step = self.refinements[2 * node + (run > 2)], mean >> 12
            refined = table[step] + ((table[step + 1] - table[step]) * (mean & 0xFFF) >> 12)
            bit = coder.bit((3 * refined + mean) >> 2)
            adapt(general, node, bit, 2)
            adapt(self.after[last], node, bit, 4)
            adapt(table, step, bit, 6)
            adapt(table, step + 1, bit, 6)
            node = 2 * node + bit
        return node & 0xFF


def unsorted(symbols, origin):
    """The bytes of a chunk in their order."""
    rows = symbols[:origin] + [0] + symbols[origin:]  # the byte before each row
    following = [0] * len(rows)
    order = sorted((row for row in range(len(rows)) if row != origin), key=lambda row: rows[row])
    for number, row in enumerate(order):
        following[number + 1] = row
    result, row = bytearray(), origin
    for _ in symbols:
        row = following[row]
        result.append(rows[row])
    return bytes(result)


def decode(reader):
    """All bytes of a section."""
    model, result = Model(), b""
    while True:
        size = reader.number()
        require(size <= MAXIMUM_CHUNK, "size of a chunk")
        if size == 0:
            return result
        origin = reader.number()
        require(1 <= origin <= size, "first row of a chunk")
        coder = Coder(reader)
        symbols = list(model.symbols(coder, size))
        require(coder.code == 0, "end of a chunk")
        result += unsorted(symbols, origin)
