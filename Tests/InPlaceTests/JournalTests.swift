import Catalog
import Crypto
import MapModel
import MapTestSupport
import Platform
import Store
import TestSupport
import Testing

@testable import InPlace

@Suite("Journal of an update in place")
struct JournalTests {
  private let scratch: Scratch
  private static let target = CatalogedRelease(
    Fixture.release, catalog: CatalogReference(digest: Digest(), size: 9))

  init() throws { scratch = try Scratch("journal") }

  private static func entries() throws -> [JournalEntry] {
    let old = try Fixture.installed("a/b", size: 10)
    let new = try Fixture.installed("a/b", "base", "new", size: 11)
    let before = Intermediate(digest: try Fixture.digest("before"), size: 12)
    let own = Intermediate(digest: new.digest, size: new.size)
    let first = try Fixture.container("first", size: 100, memory: 3)
    let second = try Fixture.container("second", size: 200, memory: 4)
    return [
      JournalEntry(
        making: new,
        by: [
          PayloadStep(container: first, target: before, base: .installed(old)),
          PayloadStep(container: second, target: own, base: .made(before)),
        ], insteadOf: old, extra: 4096),
      JournalEntry(keeping: try Fixture.installed("a/c"), as: try Fixture.installed("a/c")),
      JournalEntry(
        making: new, by: [PayloadStep(container: first, target: own, base: .nothing)], insteadOf: nil,
        extra: 0),
      JournalEntry(making: new, by: [], insteadOf: old, extra: 0),
      JournalEntry(removing: try Fixture.installed("a/d", "search")),
    ]
  }

  /// Writes a journal of `entries`; the bytes of it.
  @discardableResult
  private func write(
    _ entries: [JournalEntry], parts: [CatalogReference] = [CatalogReference(digest: Digest(), size: 7)]
  ) throws -> [UInt8] {
    let store = try LockedStore(opening: scratch.path)
    var writer = try JournalWriter(in: store, target: Self.target, parts: parts)
    for entry in entries { try writer.add(entry) }
    _ = try writer.finish()
    return try scratch.read("in-place.new/journal")
  }

  private func read() throws(Failure) -> [JournalEntry] {
    let folder = try Directory(opening: "\(scratch.path)/in-place.new")
    var reader = try JournalReader(folder)
    var entries: [JournalEntry] = []
    while let entry = try reader.next() { entries.append(entry) }
    return entries
  }

  private func progress() throws(Failure) -> Progress {
    let folder = try Directory(opening: "\(scratch.path)/in-place.new")
    return try JournalLog(folder).progress
  }

  private func isDamaged(_ body: () throws(Failure) -> Void) -> Bool {
    do throws(Failure) { try body() } catch {
      if case .badManifest = error { return true }
      return false
    }
    return false
  }

  @Test("what becomes of each component reads back, with the release and the parts of its catalog")
  func roundTrip() throws {
    let entries = try Self.entries()
    try write(entries)
    #expect(try read() == entries)
    let reader = try JournalReader(Directory(opening: "\(scratch.path)/in-place.new"))
    #expect(reader.target == Self.target && reader.parts == [CatalogReference(digest: Digest(), size: 7)])
    try write([], parts: [])
    #expect(try read() == [])
  }

  @Test("every prefix of it, and every changed byte, is damage")
  func damaged() throws {
    let bytes = try write(Self.entries())
    for count in 0..<bytes.count {
      try scratch.write("in-place.new/journal", Array(bytes[..<count]))
      #expect(isDamaged { () throws(Failure) in _ = try read() }, "\(count)")
      #expect(isDamaged { () throws(Failure) in _ = try progress() }, "\(count)")
    }
    for index in 0..<bytes.count {
      var changed = bytes
      changed[index] ^= 1
      try scratch.write("in-place.new/journal", changed)
      #expect(isDamaged { () throws(Failure) in _ = try progress() }, "\(index)")
    }
  }

  /// The lines of an update that makes the second of two components.
  private static let steps: [Progress.Step] = [
    .begun(.init(base: 4, remainder: 5, count: 2)), .taken, .making(.init(.beside)), .made,
    .making(.init(.consuming)),
  ]

  /// A journal with `steps`, and the bytes before each of them and after the last.
  private func writeProgress() throws -> (bytes: [UInt8], ends: [Int]) {
    try write(Self.entries())
    var ends = [try scratch.read("in-place.new/journal").count]
    let log = try JournalLog(Directory(opening: "\(scratch.path)/in-place.new"))
    for step in Self.steps {
      try log.add(step)
      ends.append(try scratch.read("in-place.new/journal").count)
    }
    return (try scratch.read("in-place.new/journal"), ends)
  }

  private func expected(after count: Int) -> Progress {
    var progress = Progress()
    for step in Self.steps[..<count] { _ = progress.take(step) }
    return progress
  }

  @Test("a torn last line counts as never written, and the next one takes its place")
  func torn() throws {
    let (bytes, ends) = try writeProgress()
    for count in ends[0]...bytes.count {
      try scratch.write("in-place.new/journal", Array(bytes[..<count]))
      let whole = ends.count { $0 <= count } - 1
      #expect(try progress() == expected(after: whole), "\(count)")
      guard whole < Self.steps.count else { continue }
      try JournalLog(Directory(opening: "\(scratch.path)/in-place.new")).add(Self.steps[whole])
      #expect(try progress() == expected(after: whole + 1), "\(count)")
    }
  }

  @Test("a line that is damaged and not the last one is damage: what follows it was done")
  func damagedLine() throws {
    let (bytes, ends) = try writeProgress()
    for index in ends[0]..<bytes.count where bytes[index] != 10 {
      var changed = bytes
      changed[index] ^= 1
      try scratch.write("in-place.new/journal", changed)
      if index < ends[ends.count - 2] {
        #expect(isDamaged { () throws(Failure) in _ = try progress() }, "\(index)")
      } else {
        #expect(try progress() == expected(after: Self.steps.count - 1), "\(index)")
      }
    }
  }

  @Test("a line is not taken from another place, and zeros are no line")
  func moved() throws {
    let (bytes, ends) = try writeProgress()
    let (begun, taken) = (bytes[ends[0]..<ends[1]], bytes[ends[1]..<ends[2]])
    try scratch.write("in-place.new/journal", Array(bytes[..<ends[0]] + taken + begun))
    #expect(isDamaged { () throws(Failure) in _ = try progress() })
    try scratch.write("in-place.new/journal", Array(bytes[..<ends[1]] + begun))
    #expect(try progress() == expected(after: 1))
    try scratch.write("in-place.new/journal", Array(bytes[..<ends[2]]) + [UInt8](repeating: 0, count: 5000))
    #expect(try progress() == expected(after: 2))
    try scratch.write("in-place.new/journal", Array(bytes[..<ends[2]]) + [UInt8](repeating: 10, count: 5))
    #expect(isDamaged { () throws(Failure) in _ = try progress() })
  }

  @Test("one that is missing is damaged, and so is a directory in its place")
  func missing() throws {
    try write([])
    let folder = try Directory(opening: "\(scratch.path)/in-place.new")
    try folder.remove("journal")
    #expect(isDamaged { () throws(Failure) in _ = try read() })
    try folder.makeDirectory("journal")
    #expect(isDamaged { () throws(Failure) in _ = try read() })
  }
}
