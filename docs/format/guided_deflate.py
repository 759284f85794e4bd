"""How apply-patch.py rebuilds a deflate stream with a guide: docs/format/patch.md, "Guides" and "Predictions"."""

from patch_reader import Invalid, Reader, require

PART = 64 << 10  # the size of a part of a content with a guide
LOOKAHEAD = 266


def take_predictor(first, targets):
    """What a Predictor is made with."""
    rule, second, depth = first >> 4, targets.fixed(1), targets.fixed(2)
    nice, lazy, good = (targets.fixed(1) + 3 for _ in range(3))
    index, least = second >> 4, second & 15
    require(rule <= 3 and index <= 2 and least >= 3 and 1 <= depth <= 4096, "stream parameters")
    require(max(nice, lazy, good) <= 258, "stream parameters")
    return rule, index, least, depth, nice, lazy, good


class Predictor:
    """Predicts how an encoder parses a content."""

    def __init__(self, content, rule, index, least, depth, nice, lazy, good):
        self.content, self.rule, self.index = content, rule, index
        self.least, self.depth, self.nice, self.lazy, self.good = least, depth, nice, lazy, good
        self.heads, self.links = {}, []  # the last offset with each hash, and the one before each offset with its hash
        self.short_heads, self.short_links = {}, []  # the same for the latest three bytes
        self.position = 0
        self.awaited = None  # (offset, match)

    def hash(self, offset):
        bytes = self.content[offset : offset + 4]
        if self.index == 0:
            return (bytes[0] << 10 ^ bytes[1] << 5 ^ bytes[2]) & 0x7FFF
        return (int.from_bytes(bytes, "little") * 0x1E35A7BD & 0xFFFFFFFF) >> 16

    def short_hash(self, offset):
        return (int.from_bytes(self.content[offset : offset + 3], "little") * 0x1E35A7BD & 0xFFFFFFFF) >> 17

    def add_up_to(self, offset):
        last = min(offset, len(self.content) - (2 if self.index == 0 else 3) - 1)
        while len(self.links) <= last:
            added = len(self.links)
            hash, short_hash = self.hash(added), self.short_hash(added)
            self.links.append(self.heads.get(hash, -1))
            self.short_links.append(self.short_heads.get(short_hash, -1))
            self.heads[hash] = self.short_heads[short_hash] = added

    def equal(self, first, second, most):
        count = 0
        while count < most and self.content[first + count] == self.content[second + count]:
            count += 1
        return count

    def search(self, offset, above, depth):
        """The longest match, if it has more bytes than `above`, as length and distance; of several the nearest."""
        most = min(len(self.content) - offset, 258)
        if most < (3 if self.index == 0 else 5):
            return None
        self.add_up_to(offset)
        farthest = 32506 if self.rule < 2 else 32767
        best, distance = above, 0
        if self.index == 2 and best < 3:
            candidate = self.short_links[offset]
            if 0 <= candidate and offset - candidate <= farthest and self.equal(candidate, offset, 3) == 3:
                best, distance = 3, offset - candidate
        candidate = self.links[offset]
        while depth > 0 and best < most and 0 <= candidate and offset - candidate <= farthest:
            if self.content[candidate + best] == self.content[offset + best]:
                length = self.equal(candidate, offset, most)
                if length > best and length >= (3 if self.index == 0 else 4):
                    best, distance = length, offset - candidate
                    if best >= min(self.nice, most):
                        break
            depth -= 1
            candidate = self.links[candidate]
        return (best, distance) if distance else None

    def nearest(self, length):
        """The distance of the nearest match with that many bytes."""
        offset = self.position
        require(len(self.content) - offset >= max(length, 3 if self.index == 0 else 4), "a match past the end")
        self.add_up_to(offset)
        if self.index == 2 and length == 3:
            candidate = self.short_links[offset]
            if 0 <= candidate and offset - candidate <= 32767 and self.equal(candidate, offset, 3) == 3:
                return offset - candidate
        candidate = self.links[offset]
        for _ in range(4096):
            require(0 <= candidate and offset - candidate <= 32767, "no match is near")
            if self.equal(candidate, offset, length) == length:
                return offset - candidate
            candidate = self.links[candidate]
        raise Invalid("no match is near")

    def predict(self):
        """A match as length and distance, or None for a literal."""
        if self.awaited and self.awaited[0] >= self.position:
            if self.awaited[0] > self.position:
                return None
            match = self.awaited[1]
        else:
            match = self.search(self.position, self.least - 1, self.depth)
            if match and match[0] == 3 and match[1] > (4096 if self.rule < 2 else 8192):
                match = None
        self.awaited = None
        if match and self.rule > 0 and match[0] < self.lazy:
            self.awaited = self.better(*match)
        return None if self.awaited else match

    def better(self, length, distance):
        if self.rule == 1:
            found = self.search(self.position + 1, length, self.depth // 4 if length >= self.good else self.depth)
            return found and (self.position + 1, found)
        for ahead in (1, 2)[: self.rule - 1]:
            found = self.search(self.position + ahead, length - 1, self.depth >> ahead)
            if found:
                bits = distance.bit_length() - found[1].bit_length()
                if 4 * (found[0] - length) + bits > 4 * ahead - 2:
                    return self.position + ahead, found
        return None


class BitWriter:
    def __init__(self):
        self.data, self.bits, self.count = bytearray(), 0, 0

    def add(self, value, count):
        self.bits |= value << self.count
        self.count += count
        while self.count >= 8:
            self.data.append(self.bits & 0xFF)
            self.bits >>= 8
            self.count -= 8

    def align(self):
        self.add(0, -self.count % 8)


def assign_codes(lengths):
    """For each symbol its code, the first bit lowest, and the length of the code (RFC 1951, 3.2.2)."""
    codes, code = {}, 0
    for length in range(1, 16):
        code <<= 1
        for symbol in (symbol for symbol, own in enumerate(lengths) if own == length):
            require(code < 1 << length, "code lengths")
            codes[symbol] = int(f"{code:0{length}b}"[::-1], 2), length
            code += 1
    return codes


def split_guide(made, guide_size):
    """The parts of the guide, and the whole content."""
    reader, parts, content = Reader(made), [], b""
    content_left = len(made) - guide_size
    while content_left > PART:
        before = reader.offset
        size = reader.number()
        require(size <= PART, "a part of a guide")
        parts.append(reader.take(size))
        guide_size -= reader.offset - before
        content += reader.take(PART)
        content_left -= PART
    require(0 <= guide_size <= PART, "a part of a guide")
    parts.append(reader.take(guide_size))
    return parts, content + reader.take(content_left)


class GuideReader:
    """Reads each part only for the symbols for which the content before its end has enough bytes."""

    def __init__(self, parts):
        self.parts, self.part = [Reader(part) for part in parts], 0

    def at(self, position):
        """What the guide says of the symbol at a position."""
        part = min((position + LOOKAHEAD - 1) // PART, len(self.parts) - 1)
        require(not any(reader.left() for reader in self.parts[self.part : part]), "a part is not used up")
        self.part = part
        return self.parts[part]

    def is_used_up(self):
        return not any(reader.left() for reader in self.parts)


def guided_deflate(predictor, parts, content):
    """The stream that a guide describes."""
    guides, writer, predictor = GuideReader(parts), BitWriter(), Predictor(content, *predictor)

    def add_symbol(codes, symbol):
        require(symbol in codes, "a symbol without a code")
        writer.add(*codes[symbol])

    def add_match(length, distance):
        require(length <= len(content) - predictor.position, "a match past the end")
        value = length - 3
        extra = 0 if value < 8 or length == 258 else value.bit_length() - 3
        add_symbol(literals, 285 if length == 258 else 257 + 4 * extra + (value >> extra))
        writer.add(value & (1 << extra) - 1, extra)
        value = distance - 1
        extra = 0 if value < 4 else value.bit_length() - 2
        add_symbol(distances, 2 * extra + (value >> extra))
        writer.add(value & (1 << extra) - 1, extra)
        predictor.position += length

    def add_literal():
        require(predictor.position < len(content), "a literal past the end")
        add_symbol(literals, content[predictor.position])
        predictor.position += 1

    is_last = False
    while not is_last:
        guide = guides.at(predictor.position)
        header = guide.fixed(1)
        require(header < 6, "type of a block")
        is_last = header & 1 == 1
        writer.add(header, 3)
        if header < 2:
            size = guide.fixed(2)
            writer.align()
            writer.add(size | (size ^ 0xFFFF) << 16, 32)
            require(size <= len(content) - predictor.position, "a stored block past the end")
            writer.data += content[predictor.position : predictor.position + size]
            predictor.position += size
            continue
        if header < 4:
            literals = assign_codes([8] * 144 + [9] * 112 + [7] * 24 + [8] * 8)
            distances = assign_codes([5] * 32)
        else:
            literals, distances = take_codes(guide, writer)
        while True:
            for _ in range(guides.at(predictor.position).number()):
                require(predictor.position < len(content), "a prediction past the end")
                match = predictor.predict()
                add_match(*match) if match else add_literal()
            guide = guides.at(predictor.position)
            correction = guide.fixed(1)
            if correction == 0:
                add_literal()
            elif correction == 2:
                length = guide.fixed(1) + 3
                distance = guide.fixed(2) + 1
                require(length <= 258 and distance <= 32768, "a match out of bounds")
                add_match(length, distance)
            elif correction >= 3:
                add_match(correction, predictor.nearest(correction))
            predictor.awaited = None
            if correction == 1:
                add_symbol(literals, 256)
                break
    require(guides.is_used_up() and predictor.position == len(content), "a guide for another content")
    writer.align()
    return bytes(writer.data)


def take_codes(guide, writer):
    """Copies the codes of a dynamic block (RFC 1951, 3.2.7)."""
    counts = guide.fixed(1), guide.fixed(1), guide.fixed(1)
    require(counts[0] < 32 and counts[1] < 32 and counts[2] < 16, "code lengths")
    for count, bits in zip(counts, (5, 5, 4)):
        writer.add(count, bits)
    order = (16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15)
    code_lengths = [0] * 19
    for symbol in order[: counts[2] + 4]:
        code_lengths[symbol] = guide.fixed(1)
        require(code_lengths[symbol] < 8, "code lengths")
        writer.add(code_lengths[symbol], 3)
    codes, lengths = assign_codes(code_lengths), []
    while len(lengths) < counts[0] + 257 + counts[1] + 1:
        byte = guide.fixed(1)
        require(byte < 156 and (lengths or not 16 <= byte < 20), "code lengths")
        if byte < 16:
            symbol, extra, bits, added = byte, 0, 0, [byte]
        elif byte < 20:
            symbol, extra, bits, added = 16, byte - 16, 2, lengths[-1:] * (byte - 13)
        elif byte < 28:
            symbol, extra, bits, added = 17, byte - 20, 3, [0] * (byte - 17)
        else:
            symbol, extra, bits, added = 18, byte - 28, 7, [0] * (byte - 17)
        require(symbol in codes, "a symbol without a code")
        writer.add(*codes[symbol])
        writer.add(extra, bits)
        lengths += added
    require(len(lengths) == counts[0] + 257 + counts[1] + 1, "code lengths")
    return assign_codes(lengths[: counts[0] + 257]), assign_codes(lengths[counts[0] + 257 :])
