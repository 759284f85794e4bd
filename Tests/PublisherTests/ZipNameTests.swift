import Platform
import TestSupport
import Testing

@testable import Publisher

/// A zip archive has each name twice, and programs read one or the other.
@Suite("Names in zip archives")
struct ZipNameTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch("zip") }

  /// Writes an archive by lines of Python, in which it is `z`.
  private func python(_ lines: String) throws {
    let script = "import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1], 'w')\n\(lines)\nz.close()"
    let outcome = try ChildProcess.run("python3", ["-c", script, archive])
    try #require(outcome.status == 0, "\(lines): \(outcome.error)")
  }

  private var archive: String { "\(scratch.path)/maps" }

  private func refusal() throws -> ArchiveFlaw? {
    let root = try Directory(opening: scratch.path)
    try root.removeTree("unpacked")
    try root.makeDirectory("unpacked")
    do throws(PublisherError) {
      var unpacker = try ArchiveUnpacker(
        archive, into: onFile { () throws(Failure) in try root.openDirectory("unpacked") })
      try unpacker.run()
    } catch {
      guard case .input(.archive(_, let flaw)) = error else { throw error }
      return flaw
    }
    return nil
  }

  private static let files = """
    for name in ['a/base.x', 'a/p001.x']:
        with z.open(name, 'w'ZIP64) as f: f.write(b'data')
    z.comment = b'a comment' + bytes(9)
    """

  @Test("one whose two names differ is refused, with both", arguments: ["", ", force_zip64=True"])
  func differ(zip64: String) throws {
    let files = ZipNameTests.files.replacing("ZIP64", with: zip64)
    try python(files)
    #expect(try refusal() == nil)
    try python("\(files)\nz.filelist[1].filename = 'a/p666.x'")
    guard case .damaged(let cause)? = try refusal() else {
      Issue.record("accepted")
      return
    }
    #expect(cause.contains("a/p666.x") && cause.contains("a/p001.x"))
  }

  @Test("a directory that leads elsewhere, or ends early, is refused")
  func elsewhere() throws {
    let files = ZipNameTests.files.replacing("ZIP64", with: "")
    for change in [
      "z.filelist[1].header_offset = 7", "z.filelist[1].header_offset = 0xffffffff + 1",
      "z.filelist[1].header_offset = 1 << 62",
    ] {
      try python("\(files)\n\(change)")
      guard case .damaged? = try refusal() else {
        Issue.record("\(change): accepted")
        continue
      }
    }
    try python(files)
    let bytes = try scratch.read("maps")
    // Any byte of the directory and the end record, changed: refused, or the same files.
    for index in (bytes.count - 170)..<bytes.count {
      var changed = bytes
      changed[index] ^= 0x81
      try scratch.write("maps", changed)
      if try refusal() == nil { #expect(try scratch.names("unpacked") == ["a"], "\(index)") }
    }
  }
}
