import Codec
import Crypto
import DeltaApply
import PatchFormat

/// Applying patches.
enum PatchTarget {
  /// A bare patch: its first frame is not protected by a digest that the fuzzer cannot guess.
  static func bare(_ bytes: [UInt8]) throws {
    let oldSize = try PatchHead(parsing: bytes.span.bytes.extracting(0..<headSize(bytes))).oldSize
    let expectation = PatchExpectation(
      head: nil, containerSize: nil, oldSize: oldSize == 0 ? 0 : UInt64(old.count), newSize: nil)
    let files = CheckedFiles(old: old, newSize: 1 << 48)
    try apply(bytes, expectation, piece: 1000, files)
  }

  private static func headSize(_ bytes: [UInt8]) throws -> Int {
    min(try PatchHead.size(of: bytes.span.bytes), bytes.count)
  }

  /// Sections of the fuzzer in a valid head and valid frames.
  ///
  /// The first byte has flags (1 compressed, 2 streams, 4 two sections, 8 packed, 16 and 32 sorted sections), the next two the size of the new file, then come the bytes that are handed over at a
  /// time, and where the bytes of the second section begin.
  static func crafted(_ bytes: [UInt8]) throws {
    guard bytes.count > 6 else { return }
    let flags = bytes[0]
    let newSize = UInt64(bytes[1]) | UInt64(bytes[2]) << 8
    let body = bytes[6...]
    let split =
      flags & 4 == 0
      ? body.endIndex : min(body.startIndex + (Int(bytes[4]) | Int(bytes[5]) << 8), body.endIndex)
    let patch = CraftedContainer(
      oldSize: flags & 8 == 0 ? UInt64(old.count) : 0, newSize: newSize,
      shape: .init(
        dictionarySize: flags & 1 == 0 ? 0 : 6 << 10, hasSortedSections: flags & 48 != 0,
        maximumPayload: 1 << 20, maximumBlock: 8 << 10, maximumContent: flags & 2 == 0 ? 0 : 4 << 10),
      areSorted: (flags & 16 != 0, flags & 32 != 0))
    let first = Array(body[..<split])
    let second = Array(body[split...])
    guard !first.isEmpty else { return }
    let whole: (bytes: [UInt8], head: Digest)
    if second.isEmpty {
      whole = try patch.build(first, nil)
    } else {
      // Where the second section has to begin is what the first one makes.
      let only = try patch.build(first, nil)
      var applier = try Applier(patch.expectation(only), memoryLimit: 8 << 20)
      let discarded = CheckedFiles(old: old, newSize: newSize)
      do throws(DeltaError) { try applier.consume(only.bytes.span.bytes, files: discarded) } catch {}
      whole = try patch.build(first, (second, applier.completed))
    }
    let files = CheckedFiles(old: old, newSize: newSize)
    try apply(whole.bytes, patch.expectation(whole), piece: whole.bytes.count, files)
    try again(whole, patch, piece: Int(bytes[3]) + 1, files)
  }

  /// What was applied without an error is applied again: in pieces, and from each checkpoint.
  private static func again(
    _ whole: (bytes: [UInt8], head: Digest), _ patch: CraftedContainer, piece: Int, _ files: CheckedFiles
  ) throws {
    precondition(files.new.count == patch.newSize, "all of the new file is written")
    let inPieces = CheckedFiles(old: old, newSize: patch.newSize)
    expect { () throws(DeltaError) in
      try apply(whole.bytes, patch.expectation(whole), piece: piece, inPieces)
    }
    precondition(inPieces.new == files.new, "pieces make the same file")
    for point in files.points {
      let rest = CheckedFiles(old: old, newSize: patch.newSize)
      rest.new = Array(files.new[..<Int(point.completed)])
      let encoded = try point.encoded()
      guard let stored = Checkpoint(parsing: encoded.span.bytes) else {
        fatalError("it was stored")
      }
      expect { () throws(DeltaError) in
        try apply(whole.bytes, patch.expectation(whole), from: stored, piece: piece, rest)
      }
      precondition(rest.new == files.new, "resuming makes the same file")
    }
  }

  private static func expect(_ body: () throws(DeltaError) -> Void) {
    do throws(DeltaError) { try body() } catch { fatalError("what was applied once: \(error.sentence)") }
  }

  /// A stored checkpoint with a valid digest, and an applier that resumes there.
  static func checkpoint(_ bytes: [UInt8]) throws {
    guard bytes.count >= Checkpoint.encodedSize else { return }
    var stored = Array(bytes[..<(Checkpoint.encodedSize - 16)])
    let digest = try Hasher.digest(of: stored.span.bytes)
    for index in 0..<16 { stored.append(digest.bytes[index]) }
    guard let point = Checkpoint(parsing: stored.span.bytes) else { return }
    let encoded = try point.encoded()
    precondition(Checkpoint(parsing: encoded.span.bytes) == point, "what is stored is what is read")
    let expectation = PatchExpectation(
      head: nil, containerSize: nil, oldSize: point.head.oldSize, newSize: point.head.newSize)
    var applier = try Applier(expectation, from: point, memoryLimit: 8 << 20)
    let files = CheckedFiles(old: old, newSize: point.head.newSize)
    try applier.consume(bytes.span.bytes.extracting(Checkpoint.encodedSize...), files: files)
    try applier.finish()
  }

  private static func apply(
    _ bytes: [UInt8], _ expectation: PatchExpectation, from point: Checkpoint? = nil, piece: Int,
    _ files: CheckedFiles
  ) throws(DeltaError) {
    var applier = try Applier(expectation, from: point, memoryLimit: 8 << 20)
    var offset = Int(point?.containerOffset ?? 0)
    while offset < bytes.count {
      let end = min(offset + piece, bytes.count)
      try applier.consume(bytes.span.bytes.extracting(offset..<end), files: files)
      offset = end
    }
    try applier.finish()
  }

  private static func packed(_ content: [UInt8]) -> [UInt8] {
    var stream = [UInt8](repeating: 0, count: 256)
    do throws(CodecError) {
      guard let parameters = DeflateParameters(level: 6, wrapper: .zlib) else { fatalError("they are known") }
      var deflater = try Deflater(parameters)
      var span = stream.mutableSpan
      var room = span.mutableBytes
      let counts = try deflater.deflate(content.span.bytes, into: &room, isLast: true)
      return Array(stream[..<counts.written])
    } catch { fatalError("deflating failed") }
  }

  /// Bytes of all values, words that occur again, decimal doubles, and a deflate stream in two pieces.
  private static let old: [UInt8] = {
    var bytes = Array(0...255 as ClosedRange<UInt8>) + Array("the same words again and again ".utf8)
    for number in 0..<500 {
      let double = Double(number * 7) / 100
      for byte in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: double.bitPattern >> UInt64(8 * byte))) }
    }
    let stream = packed(Array(String(repeating: "the same words again and again", count: 3).utf8))
    return bytes + stream[10...] + [0xff] + stream[..<10]
  }()
}

/// A head and frames around sections, every digest of them right.
private struct CraftedContainer {
  let oldSize: UInt64
  let newSize: UInt64
  let shape: PatchHead.Shape
  /// Whether the first and the second section are sorted.
  let areSorted: (Bool, Bool)

  func expectation(_ patch: (bytes: [UInt8], head: Digest)) -> PatchExpectation {
    PatchExpectation(
      head: patch.head, containerSize: UInt64(patch.bytes.count), oldSize: oldSize, newSize: newSize)
  }

  func build(_ first: [UInt8], _ second: (bytes: [UInt8], start: UInt64)?) throws -> (
    bytes: [UInt8], head: Digest
  ) {
    let head = PatchHead(
      old: oldSize == 0 ? nil : (oldSize, Digest()), new: (newSize, Digest()), shape: shape
    ).encoded()
    var last: [UInt8] = []
    var next: Digest?
    if let second {
      last =
        FrameHeader(
          payloadSize: UInt32(second.bytes.count), start: second.start, isSorted: areSorted.1, next: nil
        ).encoded() + second.bytes
      next = try Hasher.digest(of: last.span.bytes)
    }
    let header = FrameHeader(
      payloadSize: UInt32(first.count), start: nil, isSorted: areSorted.0, next: next)
    let front = head + header.encoded() + first
    return (front + last, try Hasher.digest(of: front.span.bytes))
  }
}

/// Files in memory that see to it that nothing is written or read where it must not be.
private final class CheckedFiles: PatchFiles {
  let old: [UInt8]
  let newSize: UInt64
  var new: [UInt8] = []
  var points: [Checkpoint] = []

  init(old: [UInt8], newSize: UInt64) {
    self.old = old
    self.newSize = newSize
  }

  func readOld(into buffer: inout MutableRawSpan, at offset: UInt64) throws(DeltaError) -> Int {
    CheckedFiles.copy(old, offset, &buffer)
  }

  func readNew(into buffer: inout MutableRawSpan, at offset: UInt64) throws(DeltaError) -> Int {
    CheckedFiles.copy(new, offset, &buffer)
  }

  func write(_ bytes: RawSpan, at offset: UInt64) throws(DeltaError) {
    precondition(offset + UInt64(bytes.byteCount) <= newSize, "nothing is written after the end")
    guard offset + UInt64(bytes.byteCount) <= 1 << 20 else { throw .cancelled }
    let end = Int(offset) + bytes.byteCount
    if new.count < end { new += [UInt8](repeating: 0, count: end - new.count) }
    bytes.withUnsafeBytes { bytes in
      new.withUnsafeMutableBytes { $0[Int(offset)..<end].copyBytes(from: bytes) }
    }
  }

  func reached(_ checkpoint: Checkpoint) throws(DeltaError) {
    precondition(checkpoint.completed <= UInt64(new.count), "what is complete is written")
    points.append(checkpoint)
  }

  private static func copy(_ file: [UInt8], _ offset: UInt64, _ buffer: inout MutableRawSpan) -> Int {
    guard offset < UInt64(file.count) else { return 0 }
    let count = min(buffer.byteCount, file.count - Int(offset))
    buffer.withUnsafeMutableBytes { room in
      file.withUnsafeBytes { room.copyBytes(from: $0[Int(offset)..<Int(offset) + count]) }
    }
    return count
  }
}
