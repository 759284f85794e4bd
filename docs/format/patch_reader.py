"""How apply-patch.py reads bytes, and rejects them: docs/format/patch.md, "Notation"."""


class Invalid(Exception):
    """The patch is not valid, or is for other files."""


def require(condition, problem):
    if not condition:
        raise Invalid(problem)


class Reader:
    """Reads bytes from front to back."""

    def __init__(self, data):
        self.data, self.offset = data, 0

    def left(self):
        return len(self.data) - self.offset

    def take(self, count):
        require(count <= self.left(), "truncated")
        self.offset += count
        return self.data[self.offset - count : self.offset]

    def fixed(self, count):
        return int.from_bytes(self.take(count), "little")

    def number(self):
        """Unsigned LEB128 below 2^63, in its shortest form."""
        value = 0
        for index in range(9):
            byte = self.fixed(1)
            value |= (byte & 0x7F) << (7 * index)
            if byte < 0x80:
                require(byte != 0 or index == 0, "a number is not in its shortest form")
                return value
        raise Invalid("a number has more than nine bytes")

    def delta(self):
        return zigzag(self.number())


def zigzag(value):
    """0, 1, 2, 3, 4 encode 0, -1, 1, -2, 2."""
    return (value >> 1) ^ -(value & 1)
