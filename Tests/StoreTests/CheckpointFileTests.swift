import Crypto
import Platform
import TestSupport
import Testing

@testable import Store

@Suite("CheckpointFile")
struct CheckpointFileTests {
  private let scratch: Scratch
  private let digest: Digest
  private var path: String { "staging/\(digest.hex).restart" }

  init() throws {
    scratch = try Scratch("restart")
    digest = try Fixture.digest("alpha")
  }

  private func open() throws -> CheckpointFile {
    try LockedStore(opening: scratch.path).staging.checkpointFile(digest)
  }

  @Test("the note that was written last is the one that is read; none makes no file")
  func newest() throws {
    let record = try open()
    #expect(try record.read() == nil)
    #expect(try scratch.names("staging") == [])
    for number in 0..<5 as Range<UInt8> {
      let note = [UInt8](repeating: number, count: Int(number) * 100)
      try record.write(note)
      #expect(try record.read() == note)
      #expect(try open().read() == note)
    }
    #expect(try scratch.read(path).count <= Int(CheckpointFile.size))
    try record.remove()
    try record.remove()
    #expect(try record.read() == nil)
  }

  @Test("wherever a power loss tears a note that is being written, the one before is read")
  func torn() throws {
    let record = try open()
    let notes = [[1, 1, 1], [2, 2], [3, 3, 3, 3]] as [[UInt8]]
    for note in notes[..<2] { try record.write(note) }
    let before = try scratch.read(path)
    try record.write(notes[2])
    let after = try scratch.read(path)
    #expect(before.count == after.count || before.count < after.count)
    for index in after.indices where index >= before.count || after[index] != before[index] {
      try scratch.write(path, Array(after[..<index] + before.dropFirst(index)))
      #expect(try record.read() == notes[1])
      var flipped = after
      flipped[index] ^= 0x10
      try scratch.write(path, flipped)
      #expect(try record.read() == notes[1])
    }
    // A file system may write the size to disk and not the bytes.
    try scratch.write(path, [UInt8](repeating: 0, count: after.count))
    #expect(try record.read() == nil)
    try record.write(notes[0])
    #expect(try record.read() == notes[0])
  }

  @Test("a note that was cut anywhere is ignored, and so is anything else in its place")
  func hostile() throws {
    let record = try open()
    try record.write([7])
    let whole = try scratch.read(path)
    for count in whole.indices {
      try scratch.write(path, Array(whole[..<count]))
      #expect(try record.read() == nil)
    }
    try scratch.write(path, [UInt8](repeating: 0xff, count: 9000))
    #expect(try record.read() == nil)
  }

  @Test("it is removed with the partial download, and when that is complete")
  func removal() throws {
    let store = try LockedStore(opening: scratch.path)
    let record = try store.staging.checkpointFile(digest)
    try store.staging.openPart(digest).write("alpha")
    try record.write([1])
    try store.staging.complete(digest, size: 5)
    #expect(try scratch.names("staging") == [digest.hex])
    try record.write([1])
    try store.staging.remove(digest)
    #expect(try scratch.names("staging") == [])
  }
}
