import Glibc
import Platform
import TestSupport
import Testing

/// Three maps of which an index can be made, in two releases; `sample/one` stays as it is.
final class IndexedMaps: Sendable {
  let repository: PublishedRepository
  /// What the publisher estimates for each index.
  static let estimate = 300_000
  static let packages = ["sample/one", "sample/three", "sample/two"]
  private static let path = "\(Scratch.base)/tinyupdater-indexed-\(getpid())"

  static let shared = Result { try IndexedMaps() }

  private init() throws {
    let scratch = try Scratch("indexed")
    repository = PublishedRepository(path: "\(IndexedMaps.path)/repository")
    // Nothing that is static is ever freed.
    atexit { _ = try? Programs.run("rm", "-rf", IndexedMaps.path) }
    for release in 1...2 {
      for (number, package) in IndexedMaps.packages.enumerated() {
        let edition = number == 0 ? 1 : release
        try scratch.write("\(release)/\(package)/base.bin", IndexedMaps.data(UInt64(number * 10 + edition)))
        try scratch.write("\(release)/\(package)/map.xml", "<map index-size=\"\(IndexedMaps.estimate)\"/>")
      }
      try scratch.write("\(release)/sample/plain/base.bin", IndexedMaps.data(UInt64(100 + release)))
      try repository.publish("\(scratch.path)/\(release)", label: "2024-0\(release)")
    }
  }

  /// 200 kB that do not compress.
  private static func data(_ seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed)
    return (0..<25_000).flatMap { _ in withUnsafeBytes(of: generator.next()) { Array($0) } }
  }

  /// An index command made of shell, and what it notes in a file next to it.
  struct Command {
    let path: String

    /// `$1` and `$2` are the component and the output, `$notes` a file that stays.
    ///
    /// It is there until the tests end, whatever becomes of this value.
    init(_ script: String) throws {
      path = "\(IndexedMaps.path)/index-\(UInt64.random(in: 0 ... .max))"
      let file = try File(opening: path, to: .replace)
      try file.write("#!/bin/sh\nnotes=\(path).notes\n\(script)\n")
      try file.close()
      try Programs.run("chmod", "755", path)
    }

    /// The lines of `$notes`.
    var notes: [String] {
      guard let bytes = try? contents("\(path).notes") else { return [] }
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  /// A device that has nothing installed yet.
  func device(_ command: Command?, of url: String? = nil, root: String? = nil, settings: String...) throws
    -> Device
  {
    let lines = settings + (command.map { ["index_command = \($0.path)"] } ?? [])
    return try Device(
      url ?? repository.url, root: root, trusting: repository, settings: lines.joined(separator: "\n"))
  }

  /// A copy of the repository that serves `release`.
  func copy(in scratch: Scratch, upTo release: Int) throws -> PublishedRepository {
    try repository.copy(to: "\(scratch.path)/repository-\(release)", upTo: release)
  }
}
