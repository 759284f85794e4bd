import Crypto
import MapModel
import Platform
import TestSupport
import Testing

@testable import Store

@Suite("Manifest")
struct ManifestTests {
  private let scratch: Scratch
  private var path: String { "\(scratch.path)/manifest" }

  init() throws { scratch = try Scratch("manifest") }

  private func write(_ components: [InstalledComponent]) throws {
    var writer = try ManifestWriter(
      try File(opening: path, to: .replace), release: try Fixture.release(7), previous: 6)
    for component in components { try writer.add(component) }
    try writer.finish()
  }

  private func read() throws(Failure) -> (
    release: CatalogedRelease, previous: UInt64, components: [InstalledComponent]
  ) {
    let directory = try Directory(opening: scratch.path)
    var reader = try ManifestReader(directory)
    var components: [InstalledComponent] = []
    while let component = try reader.next() { components.append(component) }
    return (reader.release, reader.previous, components)
  }

  private var sample: [InstalledComponent] {
    get throws {
      [
        try Fixture.component("europe/malta", text: "m", release: 3),
        InstalledComponent(
          ComponentName(id: "welt/österreich", dataGroup: "navigation"), release: .max, size: .max,
          digest: try Fixture.digest("x"), index: InstalledIndex(size: .max, digest: try Fixture.digest("i"))),
      ]
    }
  }

  @Test("what was written is read", arguments: [0, 1, 2])
  func roundTrip(count: Int) throws {
    let components = Array(try sample.prefix(count))
    try write(components)
    let manifest = try read()
    #expect(manifest.release == (try Fixture.release(7)))
    #expect(manifest.previous == 6)
    #expect(manifest.components == components)
  }

  @Test("the lines are those of the format")
  func lines() throws {
    try write([try Fixture.component("europe/malta", text: "m", release: 3)])
    let lines = String(decoding: try scratch.read("manifest"), as: UTF8.self).parts(separatedBy: "\n")
    #expect(lines[0] == "tinyupdater-manifest 1")
    #expect(lines[1] == "release 7 label-7")
    #expect(lines[2] == "catalog \(try Fixture.digest("catalog 7").hex) 9")
    #expect(lines[3] == "previous 6")
    #expect(lines[4] == "component europe/malta base 3 1 \(try Fixture.digest("m").hex)")
    let before = lines[..<5].joined(separator: "\n") + "\n"
    #expect(lines[5] == "end \(try Fixture.digest(before).hex)")
    #expect(lines[6...] == [""])
  }

  @Test("a component with an index has two more words, and neither one nor three")
  func index() throws {
    try write([try sample[1]])
    let line = try #require(
      String(decoding: scratch.read("manifest"), as: UTF8.self).parts(separatedBy: "\n").dropFirst(4).first)
    #expect(line.hasSuffix(" \(UInt64.max) \(try Fixture.digest("i").hex)"))
    for words in [line.parts(separatedBy: " ").dropLast().joined(separator: " "), line + " 1", line + " "] {
      let body =
        "tinyupdater-manifest 1\nrelease 7 l\ncatalog \(try Fixture.digest("c").hex) 9\nprevious 0\n\(words)\n"
      try scratch.write("manifest", body + "end \(try Fixture.digest(body).hex)\n")
      #expect(Fixture.error { () throws(Failure) in _ = try read() } == .badManifest(path: path, line: 5))
    }
  }

  @Test("every prefix of a manifest is refused")
  func prefixes() throws {
    try write(try sample)
    let whole = try scratch.read("manifest")
    for count in whole.indices {
      try scratch.write("manifest", Array(whole[..<count]))
      #expect(isRefused(), "the first \(count) bytes")
    }
  }

  @Test("a manifest with any byte changed is refused", arguments: [0x01, 0x20, 0x80, 0xff] as [UInt8])
  func flips(mask: UInt8) throws {
    try write(try sample)
    let whole = try scratch.read("manifest")
    for index in whole.indices {
      var bytes = whole
      bytes[index] ^= mask
      try scratch.write("manifest", bytes)
      #expect(isRefused(), "byte \(index)")
    }
  }

  @Test("bytes after the end are refused", arguments: ["\n", "x", "end\n"])
  func trailing(text: String) throws {
    try write(try sample)
    try scratch.write("manifest", try scratch.read("manifest") + Array(text.utf8))
    #expect(isRefused())
  }

  @Test("a line without end is refused in the memory of one")
  func longLine() throws {
    try scratch.write("manifest", "tinyupdater-manifest 1\n" + String(repeating: "x", count: 100_000))
    #expect(Fixture.error { () throws(Failure) in _ = try read() } == .badManifest(path: path, line: 2))
  }

  @Test("no manifest is a storage error that names it")
  func missing() {
    let error = Fixture.error { () throws(Failure) in _ = try read() }
    #expect(error == .badManifest(path: path, line: 0))
  }

  private func isRefused() -> Bool {
    let error = Fixture.error { () throws(Failure) in _ = try read() }
    guard case .badManifest(path, _) = error else { return false }
    return true
  }
}
