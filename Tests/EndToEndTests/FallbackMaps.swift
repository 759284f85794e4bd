import Glibc
import Platform
import TestSupport

/// Three releases of small maps: from the first to the last one comes by a chain, one by a patch, and one packed.
enum SmallMaps {
  static let changing = ["chain", "patch", "packed"]
  /// Bytes that leave room for one new map, and not for all.
  static let free = 1_800_000
  static let shared = Result { try make() }
  /// The patches of the last release, by their paths in the repository.
  static let lastPatches = Result {
    let repository = try shared.get()
    let known = try contents("\(repository.path).patches-2")
    let before = String(decoding: known, as: UTF8.self).split(separator: "\n").map(String.init)
    return try patches(repository).filter { !before.contains($0) }
  }

  /// They are far smaller than anything else.
  private static func patches(_ repository: PublishedRepository) throws -> [String] {
    try names("\(repository.path)/payloads").map { "payloads/\($0)" }
      .filter { try contents("\(repository.path)/\($0)").count < 1000 }
  }

  private static func make() throws -> PublishedRepository {
    let path = "\(Scratch.base)/tinyupdater-fallback-\(getpid())"
    try Programs.run("mkdir", "-p", path)
    let repository = PublishedRepository(path: "\(path)/repository")
    atexit { _ = try? Programs.run("sh", "-c", "rm -rf \(Scratch.base)/tinyupdater-fallback-\(getpid())") }
    let scratch = try Scratch("in-place-small-maps")
    var random = SeededGenerator(19)
    func map(_ count: Int) -> [UInt8] {
      let words = (0..<count / 8).map { _ in random.next() & 0x1f1f_1f1f_1f1f_1f1f }
      return words.withUnsafeBytes { Array($0) }
    }
    var (chain, patch) = (map(600_000), map(700_000))
    let steady = map(100_000)
    for release in 1...3 {
      let directory = "maps/europe"
      if release > 1 { for index in stride(from: release, to: chain.count, by: 9000) { chain[index] ^= 1 } }
      if release > 2 { for index in stride(from: 0, to: patch.count, by: 9000) { patch[index] ^= 1 } }
      try scratch.write("\(directory)/chain/base.bin", chain)
      try scratch.write("\(directory)/patch/base.bin", patch)
      try scratch.write("\(directory)/packed/base.bin", map(500_000))
      try scratch.write("\(directory)/steady/base.bin", steady)
      try repository.publish("\(scratch.path)/maps", label: "\(release)", options: "--patch-from", "1")
      if release == 2 {
        let file = try File(opening: "\(repository.path).patches-2", to: .replace)
        try file.write(try patches(repository).joined(separator: "\n"))
        try file.close()
      }
    }
    return repository
  }
}

/// Two releases of more maps than one operation names; each changes a little.
enum ManyMaps {
  static let count = 270

  static func make(in scratch: Scratch) throws -> PublishedRepository {
    let repository = PublishedRepository(path: "\(scratch.path)/many")
    var random = SeededGenerator(23)
    var words = (0..<count * 200).map { _ in random.next() }
    for release in 1...2 {
      for number in 0..<count {
        words[number * 200 + 100] = UInt64(release)
        let map = words[number * 200..<(number + 1) * 200].withUnsafeBytes { Array($0) }
        try scratch.write("many-maps/europe/m\(1000 + number)/base.bin", map)
      }
      try repository.publish("\(scratch.path)/many-maps", label: "\(release)")
    }
    return repository
  }
}
