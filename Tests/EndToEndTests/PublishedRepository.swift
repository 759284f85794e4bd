import Foundation
import Platform
import TestSupport
import Testing

/// A repository made by `tinypublish`, and what a device must have after each of its releases.
struct PublishedRepository {
  let path: String
  var url: String { "file://\(path)" }

  /// Adds a release made of the files in `input`.
  func publish(_ input: String, label: String) throws {
    let program = try Programs.tinypublish()
    if !Checkout.isFile("\(path)/releases.xml") { try Programs.run(program, "init", path) }
    try Programs.run(program, "release", path, input, "--label", label, "--quiet", timeout: 1200)
  }

  /// A copy that serves only the releases up to `release`; its files are hard links until they are replaced.
  func copy(to destination: String, upTo release: Int = .max) throws -> PublishedRepository {
    // Links do not go from one file system to another.
    try Programs.run(
      "sh", "-c", "cp -al \"$0\" \"$1\" 2>/dev/null || cp -aT \"$0\" \"$1\"", path, destination)
    let copy = PublishedRepository(path: destination)
    let lines = String(decoding: try contents("\(path)/releases.xml"), as: UTF8.self).split(separator: "\n")
    let kept = lines.filter { line in
      guard let range = line.firstRange(of: "<release number=\"") else { return true }
      return Int(line[range.upperBound...].prefix(while: \.isNumber)).map { $0 <= release } ?? true
    }
    try copy.replace("releases.xml", Array((kept.joined(separator: "\n") + "\n").utf8))
    return copy
  }

  /// Puts other bytes in the place of a file; other hard links to it keep theirs.
  func replace(_ name: String, _ bytes: [UInt8]) throws {
    let root = try Directory(opening: path)
    try root.remove(name)
    let file = try root.open(name, .replace)
    try file.write(bytes.span.bytes)
    try file.close()
  }

  func edit(_ name: String, _ change: (inout [UInt8]) -> Void) throws {
    var bytes = try contents("\(path)/\(name)")
    change(&bytes)
    try replace(name, bytes)
  }

  /// Adds a release whose catalog is the newest one with some of its lines changed.
  func addRelease(_ number: Int, editing change: (inout [String]) throws -> Void) throws {
    let newest = try #require(try names("\(path)/catalogs").first { try isNewest($0) })
    let unpacked = try ChildProcess.run("xz", ["-dc", "\(path)/catalogs/\(newest)"])
    var lines = unpacked.output.split(separator: "\n").map(String.init)
    try change(&lines)
    lines[1] = "<catalog version=\"1\" release=\"\(number)\" label=\"edited\">"
    try replace("catalogs/edited", Array(lines.joined(separator: "\n").utf8))
    try Programs.run("xz", "--lzma2=dict=1MiB", "\(path)/catalogs/edited")
    let bytes = try contents("\(path)/catalogs/edited.xz")
    let name = try digest(of: bytes)
    try replace("catalogs/\(name).update.xz", bytes)
    let line = "<release number=\"\(number)\" label=\"edited\" catalog=\"\(name)\" size=\"\(bytes.count)\"/>"
    try edit("releases.xml") { list in
      list = Array(
        String(decoding: list, as: UTF8.self).replacing("</releases>", with: line + "</releases>").utf8)
    }
  }

  private func isNewest(_ catalog: String) throws -> Bool {
    let list = String(decoding: try contents("\(path)/releases.xml"), as: UTF8.self).split(separator: "\n")
    return list.last { $0.contains("<release ") }?.contains(catalog.prefix(64)) ?? false
  }

  /// The components in the repository, read without the help of a catalog.
  private func components() throws -> [(name: String, release: Int, file: String)] {
    try names("\(path)/components").map { file in
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: "\(path)/components/\(file)"))
      defer { handle.closeFile() }
      let description = String(decoding: handle.readData(ofLength: 4096).dropFirst(8), as: UTF8.self)
      func attribute(_ name: String) throws -> String {
        let start = try #require(description.firstRange(of: " \(name)=\"")).upperBound
        return String(description[start...].prefix { $0 != "\"" })
      }
      let name = "\(try attribute("id"))/\(try attribute("data-group")).dat"
      return (name, try #require(Int(try attribute("release"))), "\(path)/components/\(file)")
    }
  }

  /// The digests that the components made of `files` must have at `release`, by their installed names.
  ///
  /// Each is the newest component of its name that is not newer than the release, and ends in the data of its file.
  func expected(_ release: Int, of files: [String: [UInt8]]) throws -> [String: String] {
    let components = try components().sorted { $0.release < $1.release }
    var expected: [String: String] = [:]
    for (path, data) in files {
      let name = path.prefix(upTo: path.lastIndex(of: ".") ?? path.endIndex) + ".dat"
      let component = try #require(components.last { $0.name == name && $0.release <= release })
      let bytes = try contents(component.file)
      #expect(bytes.count > data.count + 8)
      #expect(
        try digest(of: Array(bytes.suffix(data.count))) == digest(of: data), "\(path) at release \(release)")
      expected[String(name)] = try digest(of: bytes)
    }
    return expected
  }
}
