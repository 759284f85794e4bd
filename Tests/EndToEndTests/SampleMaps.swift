import TestSupport

/// Four releases of small maps that behave like real ones: pages of records, some of which change and shift.
enum SampleMaps {
  static let releases = 1...4
  /// The packages that devices install; `world/rivers` stays out.
  static let installed = ["europe", "world/airports"]

  /// The data files of a release by their paths.
  static func files(_ release: Int) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [
      // Large enough that its containers do not fit into the smallest memory budget.
      "europe/malta/base.bin": map(1, pages: 600, edits: release),
      "europe/malta/search.bin": map(2, pages: 15, edits: release / 2),
      "europe/iceland/base.bin": map(3, pages: 70, edits: 0),
      "europe/latvia/base.bin": map(4, pages: 50, edits: release),
      "world/airports/base.bin": map(5, pages: 30, edits: release / 3),
      "world/rivers/base.bin": map(6, pages: 5, edits: release),
    ]
    // Dropped in release 4.
    if release < 4 { files["europe/atlantis/base.bin"] = map(7, pages: 12, edits: release) }
    // A new data group of release 3 that does not compress.
    if release >= 3 {
      var generator = SeededGenerator(8)
      files["europe/latvia/overlay.bin"] = noise(150_000, mask: .max, &generator)
    }
    return files
  }

  private static func map(_ seed: UInt64, pages: Int, edits: Int) -> [UInt8] {
    var generator = SeededGenerator(seed)
    var content = (0..<pages).map { _ in page(&generator) }
    for edit in 0..<edits {
      var generator = SeededGenerator(seed << 32 | UInt64(edit))
      for _ in 0...pages / 40 { content[Int.random(in: 0..<pages, using: &generator)] = page(&generator) }
      content.insert(page(&generator), at: Int.random(in: 0...pages, using: &generator))
    }
    return content.flatMap { $0 }
  }

  /// 4 KiB that pack to about two thirds.
  private static func page(_ generator: inout SeededGenerator) -> [UInt8] {
    noise(4096, mask: 0x1f1f_1f1f_1f1f_1f1f, &generator)
  }

  private static func noise(_ count: Int, mask: UInt64, _ generator: inout SeededGenerator) -> [UInt8] {
    var words = [UInt64](repeating: 0, count: (count + 7) / 8)
    for index in words.indices { words[index] = generator.next() & mask }
    return words.withUnsafeBytes { Array($0.prefix(count)) }
  }
}
