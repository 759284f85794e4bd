import DeltaTestSupport
import TestSupport
import Testing

@testable import Codec

/// Streams of all sorts, with bytes at every distance from the ends of zlib's windows.
private let samples: [[UInt8]] = {
  var random = SeededGenerator(77)
  let words = (0..<200).map { _ in random.bytes(Int.random(in: 2...12, using: &random), values: 30) }
  func text(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count { bytes += words.randomElement(using: &random) ?? [] }
    return Array(bytes[..<count])
  }
  // What repeats exactly as far back as a match can reach is where the cutting of the input shows.
  let far = text(32_768 - 262)
  return [
    [], [7], text(100), [UInt8](repeating: 0, count: 70_000), random.bytes(70_000), text(3000), text(66_000),
    text(150_000), far + far + far + far, random.bytes(40_000, values: 3),
  ]
}()

private let shapes: [DeflateParameters] = {
  var shapes: [DeflateParameters?] = []
  for wrapper in DeflateParameters.Wrapper.allCases {
    for level in 1...9 as ClosedRange<UInt8> {
      shapes.append(DeflateParameters(level: level, wrapper: wrapper))
    }
    for strategy in DeflateParameters.Strategy.allCases {
      shapes.append(
        DeflateParameters(level: 6, windowBits: 9, memLevel: 1, strategy: strategy, wrapper: wrapper))
      shapes.append(
        DeflateParameters(level: 2, windowBits: 12, memLevel: 9, strategy: strategy, wrapper: wrapper))
    }
  }
  return shapes.compactMap { $0 }
}()

/// Inflates all of `bytes`; the input is handed over in pieces, the output taken in others.
func inflate(
  _ bytes: [UInt8], wrapper: DeflateParameters.Wrapper, piece: Int = 1000, room: Int = 777
) throws(CodecError) -> (content: [UInt8], read: Int) {
  var inflater = try Inflater(wrapper)
  return try inflate(bytes, with: &inflater, piece: piece, room: room)
}

func inflate(
  _ bytes: [UInt8], with inflater: inout Inflater, piece: Int, room: Int
) throws(CodecError) -> (content: [UInt8], read: Int) {
  var content: [UInt8] = []
  var taken = 0
  var space = [UInt8](repeating: 0, count: room)
  while !inflater.isFinished {
    var span = space.mutableSpan
    var output = span.mutableBytes
    let input = bytes.span.bytes.extracting(taken..<min(taken + piece, bytes.count))
    let counts = try inflater.inflate(input, into: &output)
    taken += counts.read
    content += space[..<counts.written]
    if counts.read == 0 && counts.written == 0 { break }
  }
  return (content, taken)
}

/// Deflates all of `content`, with the input cut at `pieces` in turn.
func deflate(
  _ content: [UInt8], with deflater: inout Deflater, pieces: [Int], room: Int
) throws(CodecError) -> [UInt8] {
  var bytes: [UInt8] = []
  var taken = 0
  var turn = 0
  var space = [UInt8](repeating: 0, count: room)
  while !deflater.isFinished {
    var span = space.mutableSpan
    var output = span.mutableBytes
    let end = min(taken + pieces[turn % pieces.count], content.count)
    turn += 1
    let counts = try deflater.deflate(
      content.span.bytes.extracting(taken..<end), into: &output, isLast: end == content.count)
    taken += counts.read
    bytes += space[..<counts.written]
  }
  return bytes
}

func deflate(_ content: [UInt8], parameters: DeflateParameters) throws(CodecError) -> [UInt8] {
  var deflater = try Deflater(parameters)
  return try deflate(content, with: &deflater, pieces: [max(content.count, 1)], room: 4096)
}

/// zlib itself without our patch, called by Python without a line of this project's code between.
private enum Reference {
  private static let program = """
    import ctypes, sys
    zlib = ctypes.CDLL(sys.argv[3])
    class Stream(ctypes.Structure):
        _fields_ = [("next_in", ctypes.c_void_p), ("avail_in", ctypes.c_uint), ("total_in", ctypes.c_ulong),
                    ("next_out", ctypes.c_void_p), ("avail_out", ctypes.c_uint), ("total_out", ctypes.c_ulong),
                    ("msg", ctypes.c_char_p), ("state", ctypes.c_void_p), ("zalloc", ctypes.c_void_p),
                    ("zfree", ctypes.c_void_p), ("opaque", ctypes.c_void_p), ("data_type", ctypes.c_int),
                    ("adler", ctypes.c_ulong), ("reserved", ctypes.c_ulong)]
    folder, count = sys.argv[1], int(sys.argv[2])
    for line in open(folder + "/shapes"):
        number, level, bits, memory, strategy = map(int, line.split())
        for sample in range(count):
            content = open(f"{folder}/{sample}", "rb").read()
            room = ctypes.create_string_buffer(len(content) * 2 + 1000)
            stream = Stream()
            assert zlib.deflateInit2_(ctypes.byref(stream), level, 8, bits, memory, strategy, b"1.2.13",
                                      ctypes.sizeof(stream)) == 0
            stream.next_in = ctypes.cast(ctypes.c_char_p(content), ctypes.c_void_p)
            stream.avail_in = len(content)
            stream.next_out, stream.avail_out = ctypes.addressof(room), len(room)
            assert zlib.deflate(ctypes.byref(stream), 4) == 1
            open(f"{folder}/{sample}.{number}", "wb").write(room.raw[:stream.total_out])
            zlib.deflateEnd(ctypes.byref(stream))
    """

  /// The streams of all shapes, of all samples each.
  static let streams: Result<[[[UInt8]]], any Error> = Result {
    let folder = try Scratch("deflate")
    for (number, sample) in samples.enumerated() { try folder.write("\(number)", sample) }
    let lines = shapes.enumerated().map { number, shape in
      "\(number) \(shape.level) \(shape.zlibWindowBits) \(shape.memLevel) \(shape.strategy.zlibStrategy)\n"
    }
    try folder.write("shapes", lines.joined())
    try folder.write("reference.py", program)
    let outcome = try ChildProcess.run(
      "python3", ["\(folder.path)/reference.py", folder.path, "\(samples.count)", Checkout.referenceZlib])
    try #require(outcome.status == 0, "python3 with \(Checkout.referenceZlib): \(outcome.error)")
    return try shapes.indices.map { shape in try samples.indices.map { try folder.read("\($0).\(shape)") } }
  }
}

@Suite("Deflate against zlib itself")
struct DeflateReferenceTests {
  @Test("a deflater makes the stream that zlib makes in one call", arguments: shapes.indices)
  func oneCall(shape: Int) throws {
    let streams = try Reference.streams.get()
    for sample in samples.indices {
      #expect(
        try deflate(samples[sample], parameters: shapes[shape]) == streams[shape][sample], "sample \(sample)")
    }
  }

  @Test("however input and output are cut, the stream is the same", arguments: shapes.indices)
  func pieces(shape: Int) throws {
    let streams = try Reference.streams.get()
    var deflater = try Deflater(shapes[shape])
    let window = 1 << Int(shapes[shape].windowBits)
    let cuts = [
      [window - 100], [window], [1, 2 * window - 101, 200], [4096, 1, 333], [window - 262], [window - 263],
    ]
    for sample in samples.indices where samples[sample].count > 0 {
      let expected = streams[shape][sample]
      // Two of the cuts for each sample; over all shapes every sample meets every cut.
      for turn in [sample % cuts.count, (sample + shape) % cuts.count] {
        let pieces = cuts[turn]
        try deflater.reset(shapes[shape])
        let room = [samples[sample].count < 5000 ? 1 : 3000, 700, 1 << 20][turn % 3]
        let stream = try deflate(samples[sample], with: &deflater, pieces: pieces, room: room)
        #expect(stream == expected, "sample \(sample), cut at \(pieces), \(room) bytes of room")
      }
    }
  }

  /// Random bytes end zlib's blocks as stored ones, which it can make only while the block is in its window.
  @Test(
    "a single cut anywhere gives the same stream",
    arguments: [.normal, .huffmanOnly, .rle] as [DeflateParameters.Strategy])
  func everyCut(strategy: DeflateParameters.Strategy) throws {
    let parameters = try #require(
      DeflateParameters(level: 6, windowBits: 9, memLevel: 2, strategy: strategy, wrapper: .raw))
    var deflater = try Deflater(parameters)
    var random = SeededGenerator(5)
    for _ in 0..<4 {
      let content = random.bytes(1836)
      let expected = try deflate(content, parameters: parameters)
      for cut in 1..<content.count {
        try deflater.reset(parameters)
        let stream = try deflate(content, with: &deflater, pieces: [cut, content.count], room: 3000)
        if stream != expected { Issue.record("cut at \(cut)") }
      }
    }
  }

  /// What was consumed before decides only where in its window zlib is, so that two GiB need not be made for this.
  @Test(
    "a stream of more than 2 or 4 GiB is cut at the ends of its window like any other",
    arguments: [1 << 31, 1 << 32, 1 << 48] as [UInt64])
  func longStream(position: UInt64) throws {
    let parameters = try #require(
      DeflateParameters(level: 6, windowBits: 15, memLevel: 8, strategy: .normal, wrapper: .raw))
    var random = SeededGenerator(8)
    let content = random.bytes(200_000)
    let pieces = [(1 << 15) - 100, 1, 200]
    var deflater = try Deflater(parameters)
    let expected = try deflate(content, with: &deflater, pieces: pieces, room: 4096)
    try deflater.reset(parameters)
    // A whole number of windows: zlib is at the beginning of one, as it is at 0.
    deflater.position = position - 1 << 16
    let stream = try deflate(content, with: &deflater, pieces: pieces, room: 4096)
    #expect(stream == expected)
    #expect(deflater.position == position - 1 << 16 + 200_000)
  }

  @Test("one inflater gives back the content of all streams", arguments: [(1, 1), (100, 3), (4096, 70_000)])
  func inflater(piece: Int, room: Int) throws {
    let streams = try Reference.streams.get()
    var inflater = try Inflater(.raw)
    for (shape, parameters) in shapes.enumerated() {
      for sample in samples.indices where samples[sample].count < (room < 100 ? 5000 : .max) {
        try inflater.reset(parameters.wrapper)
        let stream = streams[shape][sample]
        let result = try inflate(stream + [1, 2, 3], with: &inflater, piece: piece, room: room)
        #expect(result.content == samples[sample], "sample \(sample), shape \(shape)")
        #expect(result.read == stream.count)
      }
    }
  }
}

@Suite("Deflate against gzip")
struct GzipToolTests {
  @Test("gzip unpacks what a deflater packs", arguments: [2, 6, 7])
  func deflater(sample: Int) throws {
    let folder = try Scratch("gzip")
    let parameters = try #require(DeflateParameters(level: 9, wrapper: .gzip))
    try folder.write("a.gz", deflate(samples[sample], parameters: parameters))
    #expect(try ChildProcess.run("gzip", ["-d", "\(folder.path)/a.gz"]).status == 0)
    #expect(try folder.read("a") == samples[sample])
  }

  @Test("an inflater unpacks what gzip packs", arguments: samples.indices)
  func inflater(sample: Int) throws {
    let folder = try Scratch("gzip")
    try folder.write("a", samples[sample])
    #expect(try ChildProcess.run("gzip", ["\(folder.path)/a"]).status == 0)
    #expect(try inflate(folder.read("a.gz"), wrapper: .gzip).content == samples[sample])
  }
}

@Suite("Deflater and Inflater")
struct DeflateTests {
  @Test("a deflater that was used for anything else makes the same stream as a new one")
  func reuse() throws {
    var deflater = try Deflater(shapes[0])
    for (turn, parameters) in (shapes + shapes.reversed()).enumerated() {
      try deflater.reset(parameters)
      let content = samples[turn % samples.count]
      let stream = try deflate(content, with: &deflater, pieces: [5000], room: 900)
      #expect(try stream == deflate(content, parameters: parameters))
    }
  }

  @Test("a deflater begins afresh in the middle of a stream")
  func abandoned() throws {
    let parameters = shapes[5]
    var deflater = try Deflater(parameters)
    var space = [UInt8](repeating: 0, count: 10)
    var span = space.mutableSpan
    var output = span.mutableBytes
    let content = samples[7]
    _ = try deflater.deflate(content.span.bytes, into: &output, isLast: false)
    try deflater.reset(parameters)
    let stream = try deflate(samples[5], with: &deflater, pieces: [5000], room: 900)
    #expect(try stream == deflate(samples[5], parameters: parameters))
  }

  @Test("a stream that ends too early never finishes", arguments: DeflateParameters.Wrapper.allCases)
  func prefixes(wrapper: DeflateParameters.Wrapper) throws {
    let parameters = try #require(DeflateParameters(level: 6, wrapper: wrapper))
    let stream = try deflate(samples[5], parameters: parameters)
    var inflater = try Inflater(wrapper)
    for count in stream.indices {
      try inflater.reset(wrapper)
      let result = try inflate(Array(stream[..<count]), with: &inflater, piece: 512, room: 4096)
      let isFinished = inflater.isFinished
      #expect(!isFinished && result.read == count)
    }
  }

  @Test(
    "each flipped bit is an error, keeps the stream from its end, or changes nothing",
    arguments: [.zlib, .gzip] as [DeflateParameters.Wrapper])
  func flips(wrapper: DeflateParameters.Wrapper) throws {
    let parameters = try #require(DeflateParameters(level: 6, wrapper: wrapper))
    let stream = try deflate(samples[2], parameters: parameters)
    var inflater = try Inflater(wrapper)
    // Time, flags of the compressor and system: gzip's header has no checksum.
    let free = wrapper == .gzip ? 3..<10 : 0..<0
    for bit in 0..<stream.count * 8 where !free.contains(bit / 8) {
      var damaged = stream
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      try inflater.reset(wrapper)
      do throws(CodecError) {
        let result = try inflate(damaged, with: &inflater, piece: 512, room: 4096)
        // Bits that fill up the last byte before the checksum mean nothing.
        let isFinished = inflater.isFinished
        #expect(!isFinished || result.content == samples[2], "bit \(bit) went unnoticed")
      } catch { #expect([.corrupt, .unsupported].contains(error), "bit \(bit)") }
    }
  }

  @Test("a stream that wants a dictionary is refused")
  func dictionary() throws {
    do throws(CodecError) {
      _ = try inflate([0x78, 0xbb, 0, 0, 0, 1, 0, 0], wrapper: .zlib)
      Issue.record("not refused")
    } catch { #expect(error == .unsupported) }
  }

  @Test("an inflater works again after an error")
  func afterError() throws {
    var inflater = try Inflater(.zlib)
    do throws(CodecError) {
      _ = try inflate([1, 2, 3, 4], with: &inflater, piece: 4, room: 10)
      Issue.record("not refused")
    } catch { #expect(error == .corrupt) }
    let parameters = try #require(DeflateParameters(level: 1, wrapper: .gzip))
    // A stored block, then one of a type that does not exist.
    let damaged: [UInt8] = [0x78, 0x01, 0, 3, 0, 0xfc, 0xff, 1, 2, 3, 7, 0, 0]
    try inflater.reset(.zlib)
    do throws(CodecError) {
      _ = try inflate(damaged, with: &inflater, piece: 20, room: 10)
      Issue.record("not refused")
    } catch { #expect(error == .corrupt) }
    let total = inflater.total
    #expect(total == CodedBytes(read: 11, written: 3))
    try inflater.reset(.gzip)
    let stream = try deflate(samples[6], parameters: parameters)
    #expect(try inflate(stream, with: &inflater, piece: 99, room: 100).content == samples[6])
  }
}

@Suite("Memory of zlib")
struct ZlibMemoryTests {
  @Test("the declared memory is what this zlib takes, and little more", arguments: shapes)
  func deflater(parameters: DeflateParameters) {
    let measured = Deflater.measuredMemory(parameters)
    let needed = Deflater.memoryNeeded(windowBits: parameters.windowBits, memLevel: parameters.memLevel)
    #expect(measured > 0 && measured <= needed)
    #expect(needed <= measured + (10 << 10))
  }

  @Test("the declared memory is enough for an inflater")
  func inflater() throws {
    let parameters = try #require(DeflateParameters(level: 6, wrapper: .zlib))
    let stream = try deflate(samples[5], parameters: parameters)
    let measured = Inflater.measuredMemory(.zlib, bytes: stream.span.bytes)
    #expect(measured > 1 << 15 && measured <= Inflater.memoryNeeded)
  }
}

@Suite("DeflateParameters")
struct DeflateParametersTests {
  @Test("parameters that are encoded in three bytes are parsed again", arguments: shapes.indices)
  func roundTrip(shape: Int) {
    let bytes = shapes[shape].encoded()
    #expect(bytes.count == DeflateParameters.encodedSize && bytes.count == 3)
    #expect(DeflateParameters(parsing: bytes.span.bytes) == shapes[shape])
    #expect(DeflateParameters(parsing: bytes.span.bytes.extracting(..<2)) == nil)
  }

  @Test("of all three bytes, only those of known parameters are parsed, each in one form")
  func allBytes() throws {
    var known = 0
    for first in 0...255 as ClosedRange<UInt8> {
      for second in 0...255 as ClosedRange<UInt8> {
        for third in [0, 1, 2, 3, 128, 255] as [UInt8] {
          let bytes = [first, second, third]
          guard let parameters = DeflateParameters(parsing: bytes.span.bytes) else { continue }
          known += 1
          if parameters.encoded() != bytes { Issue.record("\(bytes) is a second form") }
        }
      }
    }
    #expect(known == 9 * 7 * 9 * 5 * 3)
  }

  @Test("zlib takes all parameters that can be parsed")
  func extremes() throws {
    for (level, windowBits, memLevel) in [(1, 9, 1), (9, 15, 9), (1, 15, 1), (9, 9, 9)]
      as [(UInt8, UInt8, UInt8)]
    {
      for strategy in DeflateParameters.Strategy.allCases {
        for wrapper in DeflateParameters.Wrapper.allCases {
          let parameters = try #require(
            DeflateParameters(
              level: level, windowBits: windowBits, memLevel: memLevel, strategy: strategy, wrapper: wrapper))
          #expect(
            try inflate(deflate(samples[7], parameters: parameters), wrapper: wrapper).content == samples[7])
        }
      }
    }
  }
}
