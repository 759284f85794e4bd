import DeltaApply
import Platform
import TestSupport
import Testing

@testable import Publisher

@Suite("FileDiff")
struct BareDiffTests {
  private let scratch: TestRepository

  init() throws {
    scratch = try TestRepository()
    try scratch.write("old", Maps.data(1))
    try scratch.write("new", Maps.changed(Maps.data(1)))
  }

  private var patch: String { "\(scratch.input)/p" }

  private func diff() throws(PublisherError) -> FileDiff.Report {
    try FileDiff(from: "\(scratch.input)/old", to: "\(scratch.input)/new", output: patch).run()
  }

  @Test("files with names like that of the patch stay as they are")
  func neighbours() throws {
    try scratch.write("victim", [1, 2, 3])
    let input = try Directory(opening: scratch.input)
    for name in ["p.part", "p.check", "p.new"] { try input.makeSymbolicLink(name, to: "victim") }
    let report = try diff()
    #expect(try names(scratch.input) == ["new", "old", "p", "p.check", "p.new", "p.part", "victim"])
    #expect(try File(opening: "\(scratch.input)/victim").bytes(upTo: 100) == [1, 2, 3])
    #expect(try File(opening: patch).size() == report.size)
  }

  @Test("a failed patch leaves no files, and what had its name is unchanged")
  func failed() throws {
    let input = try Directory(opening: scratch.input)
    try input.makeDirectory("p")
    #expect(throws: PublisherError.operand(.irreplaceable(path: patch, .directory))) { try diff() }
    #expect(try names(scratch.input) == ["new", "old", "p"])
  }

  @Test("an input that is cut after it was copied makes the patch that it made before")
  func shrinking() throws {
    let whole = Maps.changed(Maps.data(1))
    let folder = try Directory(opening: scratch.input)
    let copy = try PrivateCopy(of: "\(scratch.input)/new", in: folder)
    try File(opening: "\(scratch.input)/new", to: .update).truncate(to: 0)
    #expect(copy.size == UInt64(whole.count))
    let mapped = try MappedFile(File(opening: copy.path))
    let isWhole = mapped.bytes.elementsEqual(whole)
    #expect(isWhole)
    #expect(try names(scratch.input) == ["new", "old"])
  }
}

@Suite("ComparingFiles")
struct ComparingFilesTests {
  private let scratch: TestRepository

  init() throws { scratch = try TestRepository() }

  private func files(_ bytes: [UInt8]) throws -> ComparingFiles {
    try scratch.write("new", bytes)
    return ComparingFiles(old: nil, new: try MappedFile(File(opening: "\(scratch.input)/new")))
  }

  @Test("bytes written out of order read back as from a file, which is complete when the last gap is filled")
  func extents() throws {
    let bytes = (1...20).map { UInt8($0) }
    let files = try files(bytes)
    func read(at offset: UInt64, count: Int) throws -> [UInt8] {
      var buffer = [UInt8](repeating: 99, count: count)
      var span = buffer.mutableSpan
      var space = span.mutableBytes
      let found = try files.readNew(into: &space, at: offset)
      return Array(buffer[..<found])
    }
    #expect(try read(at: 0, count: 5) == [])
    try files.write(bytes[4..<6].span.bytes, at: 4)
    try files.write(bytes[10..<12].span.bytes, at: 10)
    try files.write(bytes[6..<7].span.bytes, at: 6)
    #expect(try read(at: 2, count: 100) == [0, 0, 5, 6, 7, 0, 0, 0, 11, 12])
    #expect(try read(at: 5, count: 3) == [6, 7, 0])
    #expect(try read(at: 12, count: 3) == [])
    try files.write(bytes[0..<4].span.bytes, at: 0)
    try files.write(bytes[12..<20].span.bytes, at: 12)
    let isEarly = files.isComplete
    #expect(!isEarly)
    try files.write(bytes[7..<10].span.bytes, at: 7)
    let isComplete = files.isComplete
    #expect(isComplete)
    #expect(try read(at: 0, count: 100) == bytes)
  }

  @Test("a byte that differs from the file is a wrong result, and so is one after its end")
  func wrong() throws {
    for (bytes, offset) in [([1, 2, 4], 0), ([3, 4], 2), ([1], .max)] as [([UInt8], UInt64)] {
      let files = try files([1, 2, 3])
      var found: DeltaError?
      do throws(DeltaError) { try files.write(bytes.span.bytes, at: offset) } catch { found = error }
      #expect(found == .wrongResult(isOld: false))
    }
    let isComplete = try files([]).isComplete
    #expect(isComplete)
  }
}
