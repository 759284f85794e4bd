internal import Crypto
package import Platform

/// Where an interrupted download can resume, beside the partial file: `DIGEST.restart`.
///
/// Two slots take turns, each in a block of its own and with a checksum: power loss can only tear the one that is being
/// written, and the other one is still valid. The bytes that a note counts were flushed before. The note of a patch has
/// a checksum of its own as well: this module does not know what it keeps, and the patch not where it is kept.
///
/// | offset in a slot | size | what |
/// | --: | --: | --- |
/// | 0 | 32 | digest of the rest of the slot |
/// | 32 | 8 | number of the record: it rises |
/// | 40 | 4 | size of the note |
/// | 44 | | the note |
package struct CheckpointFile: ~Copyable {
  private let directory: Directory
  private let name: String

  init(_ directory: consuming Directory, name: String) {
    self.directory = directory
    self.name = name
  }

  /// Bytes of the file: two slots.
  package static var size: UInt64 { 2 * slot }
  private static var slot: UInt64 { 4096 }
  private static var header: Int { 44 }
  /// Bytes of a note at most.
  package static var maximumNote: Int { 1024 }

  /// The newest whole note; nil if there is none.
  package func read() throws(Failure) -> [UInt8]? { try newest()?.note }

  /// Replaces the older of the two notes, and returns when its bytes are durable.
  ///
  /// The first one makes the file, and power loss may take its name away: the directory is not synchronized, since
  /// staging is a cache, and without the note the file is fetched from the start.
  package func write(_ note: [UInt8]) throws(Failure) {
    let number = (try newest()?.number ?? 0) &+ 1
    var rest = number.littleEndianBytes + UInt32(clamping: note.count).littleEndianBytes
    rest += note
    let checksum = try Digest(of: rest)
    var bytes: [UInt8] = []
    for index in 0..<Digest.size { bytes.append(checksum.bytes[index]) }
    bytes += rest
    let file = try directory.open(name, to: .update)
    try file.write(bytes.span.bytes, at: number % 2 * CheckpointFile.slot)
    try file.synchronizeData()
    try file.close()
  }

  package func remove() throws(Failure) {
    try directory.remove(name)
  }

  private func newest() throws(Failure) -> (number: UInt64, note: [UInt8])? {
    let exists = try directory.status(of: name)?.kind == .file
    guard exists else { return nil }
    let file = try directory.open(name)
    var newest: (number: UInt64, note: [UInt8])?
    for index in 0..<2 as Range<UInt64> {
      var bytes = [UInt8](repeating: 0, count: CheckpointFile.header + CheckpointFile.maximumNote)
      var span = bytes.mutableSpan
      var space = span.mutableBytes
      let count = try file.read(into: &space, at: index * CheckpointFile.slot)
      guard let found = try CheckpointFile.parse(Array(bytes[..<count])) else { continue }
      if newest.map({ $0.number < found.number }) ?? true { newest = found }
    }
    return newest
  }

  private static func parse(_ bytes: [UInt8]) throws(Failure) -> (number: UInt64, note: [UInt8])? {
    guard bytes.count >= header else { return nil }
    let size = Int(number(bytes[40..<44]))
    guard size <= min(maximumNote, bytes.count - header) else { return nil }
    let end = header + size
    let checksum = try Digest(of: Array(bytes[32..<end]))
    guard Digest(bytes.span.bytes.extracting(0..<Digest.size)) == checksum else { return nil }
    return (number(bytes[32..<40]), Array(bytes[header..<end]))
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension FixedWidthInteger {
  fileprivate var littleEndianBytes: [UInt8] {
    (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> Self($0 * 8)) }
  }
}
