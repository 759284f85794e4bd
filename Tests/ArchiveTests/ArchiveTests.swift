import ArchiveWriting
import Platform
import TestSupport
import Testing

@testable import Archive

/// Archives from anywhere: only files below the archive are read, and everything else is refused with a reason.
@Suite("Archives")
struct ArchiveTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch("archive") }

  // MARK: - What is read

  private func reader(_ name: String) throws -> ArchiveReader {
    try ArchiveReader(File(opening: "\(scratch.path)/\(name)"))
  }

  /// All files with their bytes, and the error that ended it.
  private func read(_ name: String) throws -> (files: [(name: String, bytes: [UInt8])], error: Failure?) {
    var files: [(name: String, bytes: [UInt8])] = []
    do {
      var reader = try reader(name)
      while let entry = try reader.next() {
        var bytes: [UInt8] = []
        while true {
          let count = bytes.count
          bytes += try next(&reader)
          if bytes.count == count { break }
        }
        #expect(UInt64(bytes.count) == entry.size)
        files.append((entry.name, bytes))
      }
      return (files, nil)
    } catch let error as Failure { return (files, error) }
  }

  private func next(_ reader: inout ArchiveReader) throws -> [UInt8] {
    var buffer = Buffer(count: 1000)
    var space = buffer.mutableBytes
    let count = try reader.read(into: &space)
    var bytes: [UInt8] = []
    bytes.append(contentsOf: buffer.bytes.extracting(first: count))
    return bytes
  }

  private func run(_ program: String, _ arguments: String...) throws {
    let outcome = try ChildProcess.run(program, arguments)
    try #require(outcome.status == 0, "\(program) \(arguments): \(outcome.error)")
  }

  private func write(_ files: [(String, [UInt8])], to name: String) throws {
    var writer = try ArchiveWriter(File(opening: "\(scratch.path)/\(name)", to: .replace))
    for (name, bytes) in files {
      try writer.begin(name, size: UInt64(bytes.count))
      try writer.write(bytes.span.bytes)
    }
    try writer.finish()
  }

  @Test("what was written is read, byte for byte, and the same files make the same archive")
  func roundTrip() throws {
    let long = "payloads/" + String(repeating: "long/", count: 40) + "name"
    let files: [(String, [UInt8])] = [
      ("metadata/1.root.json", [1, 2, 3]), ("empty", []), (long, [UInt8](repeating: 7, count: 100_000)),
    ]
    try write(files, to: "one.tar")
    try write(files, to: "two.tar")
    #expect(try scratch.read("one.tar") == scratch.read("two.tar"))
    let result = try read("one.tar")
    #expect(result.error == nil)
    #expect(result.files.map(\.name) == files.map(\.0) && result.files.map(\.bytes) == files.map(\.1))
  }

  @Test("GNU tar reads what was written, and what it writes is read")
  func tar() throws {
    try write([("a/b", Array("text\n".utf8))], to: "ours.tar")
    #expect(try ChildProcess.run("tar", ["-xOf", "\(scratch.path)/ours.tar", "a/b"]).output == "text\n")
    try scratch.write("tree/a/b", "more\n")
    for format in ["ustar", "gnu", "pax", "v7"] {
      try run(
        "tar", "--format=\(format)", "-cf", "\(scratch.path)/theirs.tar", "-C", "\(scratch.path)/tree", ".")
      let result = try read("theirs.tar")
      #expect(result.error == nil && result.files.map(\.name) == ["a/b"], "\(format): \(result)")
    }
  }

  @Test("files are found by their names, in any order")
  func index() throws {
    let files = (0..<300).map { ("file/\($0)", Array("contents of \($0)".utf8)) }
    try write(files, to: "many.tar")
    var reader = try reader("many.tar")
    let index = try ArchiveIndex(&reader)
    for (name, bytes) in files.shuffled() {
      try reader.seek(to: try #require(try index.offset(of: name)))
      let entry = try #require(try reader.next())
      #expect(try entry.name == name && next(&reader) == bytes)
    }
    #expect(try index.offset(of: "file/300") == nil)
  }

  // MARK: - What is refused

  /// Archives that Python's tarfile writes, by an expression for the member.
  private func expect(_ flaw: EntryFlaw, _ member: String) throws {
    let script = """
      import sys, tarfile
      t = tarfile.open(sys.argv[1], "w", format=tarfile.PAX_FORMAT)
      m = tarfile.TarInfo("file")
      \(member)
      t.addfile(m); t.close()
      """
    try run("python3", "-c", script, "\(scratch.path)/bad.tar")
    guard case .badArchive(let sentence) = try read("bad.tar").error else {
      Issue.record("\(member): \(try read("bad.tar"))")
      return
    }
    #expect(sentence.hasSuffix(" that \(flaw.sentence)"), "\(member)")
  }

  @Test(
    "a name that leaves the archive, or that no repository has, is refused",
    arguments: [
      "../x", "/etc/passwd", "a/../../x", "a//b", "a/./b", "a\\\\b", "a b", "a\\tb", "a\\x1b[2J", "",
    ])
  func names(name: String) throws {
    try expect(.name, "m.name = \"\(name)\"")
  }

  @Test(
    "links, devices and pipes are refused",
    arguments: ["SYMTYPE", "LNKTYPE", "CHRTYPE", "BLKTYPE", "FIFOTYPE"])
  func kinds(kind: String) throws {
    try expect(.kind, "m.type = tarfile.\(kind); m.linkname = \"metadata/timestamp.json\"")
  }

  @Test("a hard link that has bytes of its own is refused")
  func hardLinkWithBytes() throws {
    try expect(.kind, "m.type = tarfile.LNKTYPE; m.linkname = \"metadata/timestamp.json\"; m.size = 512")
  }

  @Test("a file with holes is refused")
  func sparse() throws {
    for format in ["gnu", "pax"] {
      try run(
        "sh", "-c",
        "cd \"$0\" && truncate -s 1M file && echo end >>file && tar --sparse --format=\(format) -cf bad.tar file",
        scratch.path)
      let error = try read("bad.tar").error
      #expect(error == .badEntry("file", of: "\(scratch.path)/bad.tar", .sparse), "\(format)")
    }
  }

  @Test("a file that is there twice is refused before it is read")
  func twice() throws {
    try write([("one", [1]), ("two", [2]), ("one", [3])], to: "twice.tar")
    var reader = try reader("twice.tar")
    #expect(throws: Failure.badEntry("one", of: "\(scratch.path)/twice.tar", .twice)) {
      _ = try ArchiveIndex(&reader)
    }
  }

  @Test("an archive that was cut off anywhere is refused, also where its files are passed over")
  func cut() throws {
    try write((0..<4).map { ("file/\($0)", [UInt8](repeating: UInt8($0), count: 3000)) }, to: "whole.tar")
    let whole = try scratch.read("whole.tar")
    for size in stride(from: 100, to: 4 * 3584, by: 333) where size % 3584 != 0 {
      try scratch.write("cut.tar", Array(whole[..<size]))
      #expect(try read("cut.tar").error != nil, "\(size)")
      var error: Failure?
      do {
        var reader = try reader("cut.tar")
        _ = try ArchiveIndex(&reader)
      } catch let thrown as Failure { error = thrown }
      // In the padding behind a file nothing is lost.
      let isPadding = size % 3584 > 3512
      #expect(error != nil || isPadding, "\(size)")
    }
  }

  @Test("a size that is not true is refused")
  func lyingSize() throws {
    try write([("one", [UInt8](repeating: 1, count: 600)), ("two", [2])], to: "honest.tar")
    for size in ["00000000000", "00000000100", "00000010000", "77777777777"] {
      var bytes = try scratch.read("honest.tar")
      bytes.replaceSubrange(124..<135, with: Array(size.utf8))
      // The checksum is made right again.
      bytes.replaceSubrange(148..<156, with: [UInt8](repeating: 0x20, count: 8))
      let sum = bytes[..<512].reduce(0) { $0 + Int($1) }
      let digits = String(sum, radix: 8)
      bytes.replaceSubrange(
        148..<156, with: Array((String(repeating: "0", count: 6 - digits.count) + digits + "\0 ").utf8))
      try scratch.write("lying.tar", bytes)
      #expect(try read("lying.tar").error != nil, "\(size)")
    }
  }

  @Test("what is compressed, or no archive at all, is refused")
  func noArchive() throws {
    try write([("one", [UInt8](repeating: 1, count: 600))], to: "plain.tar")
    try run("sh", "-c", "gzip -c \"$0/plain.tar\" >\"$0/tar.gz\"", scratch.path)
    try scratch.write("text", String(repeating: "no archive\n", count: 1000))
    try scratch.write("empty", "")
    for name in ["tar.gz", "text"] {
      guard case .badArchive(let sentence) = try read(name).error else {
        Issue.record("\(name): \(try read(name))")
        continue
      }
      #expect(sentence.contains("is not a whole tar archive"), "\(name)")
    }
    #expect(throws: (any Error).self) { _ = try reader(".") }
  }
}
