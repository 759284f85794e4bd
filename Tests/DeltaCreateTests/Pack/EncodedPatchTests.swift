import DeltaApply
import DeltaTestSupport
import PatchFormat
import Platform
import TestSupport
import Testing

@testable import DeltaCreate

@Suite("EncodedPatch")
struct EncodedPatchTests {
  private let scratch: Scratch
  private let old: [UInt8]
  private let new: [UInt8]
  private var options = PatchMaker.Options()

  init() throws {
    scratch = try Scratch("packed")
    var random = SeededGenerator(41)
    old = random.bytes(20_000)
    new = Array(old[..<9000]) + random.bytes(12_000) + old[4000...]
    options.payloadSize = 700
    options.blockSize = 1024
    options.sectionSize = 2000
    options.workDirectory = scratch.path
  }

  /// What is written to a file.
  private func packed() throws -> (patch: EncodedPatch, bytes: [UInt8]) {
    let patch = try old.withUnsafeBufferPointer { old in
      try new.withUnsafeBufferPointer { new in
        try PatchMaker(options).pack(
          old: old, new: new, plan: .choose(old: old.count, new: new.count, limit: .max))
      }
    }
    let file = try Directory(opening: scratch.path).open("patch", to: .replace)
    try patch.write(to: file)
    return (patch, try scratch.read("patch"))
  }

  @Test("sections that waited in a file make the same patch as those in memory", arguments: [0, 5000, .max])
  mutating func storage(inMemory: Int) throws {
    options.packedInMemory = inMemory
    let made = try packed()
    let expected = try PatchMaker(options).make(old: old.span, new: new.span)
    #expect(made.bytes == expected.bytes && made.patch.size == UInt64(made.bytes.count))
    #expect(made.patch.headDigest == expected.headDigest && made.patch.streams == StreamFigures())
    var applier = MemoryApplier(old: old)
    #expect(try applier.apply(made.bytes, expectedHead: made.patch.headDigest) == new)
    #expect(applier.points.count == 4)
    // The file has no name.
    #expect(try scratch.names() == ["patch"])
  }

  @Test("no more bytes stay in memory than allowed")
  mutating func memory() throws {
    options.packedInMemory = 5000
    let script = old.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { new in PatchScript(old: old, output: .file(new), operations: []) }
    }
    try withExtendedLifetime((old, new)) {
      let sections = try #require(
        try CompressedSections(script, model: options.models[0], options: options, below: .max))
      #expect(sections.size > 30_000)
      #expect(sections.bytesInMemory > 0 && sections.bytesInMemory <= 5000)
    }
  }

  @Test("without room for the file the reason is said")
  mutating func noDirectory() throws {
    options.packedInMemory = 0
    options.workDirectory = "\(scratch.path)/missing"
    #expect(throws: DeltaCreateError.file(Failure(.noEntry, path: "\(scratch.path)/missing"))) {
      try packed()
    }
  }
}
