import Codec
import DeltaApply
import DeltaTestSupport
import PatchFormat
import TestSupport
import Testing

@testable import DeltaCreate

/// Files that do not fit into memory, here with a limit for which they are small.
@Suite("Windows of a search")
struct SearchWindowTests {
  private static func plan(_ size: Int) -> SearchBudget {
    SearchBudget(index: .blocks, effort: .windows(size: size), limit: .max, memory: 0, searchesRows: false)
  }

  private static func apply(_ patch: PatchInMemory, to old: [UInt8]) throws -> [UInt8]? {
    var applier = MemoryApplier(old: old)
    applier.memoryLimit = patch.head.memoryNeeded
    return try applier.apply(patch.bytes, expectedHead: patch.headDigest)
  }

  /// Lines of points with texts between them, some of them in another order or changed.
  private static func files(seed: UInt64) -> (old: [UInt8], new: [UInt8]) {
    var random = SeededGenerator(seed)
    func record() -> [UInt8] {
      let points = (0..<Int.random(in: 4...60, using: &random)).flatMap { _ in
        [Double(Int.random(in: 10_000_000...20_000_000, using: &random)) / 100_000, 48.125]
      }
      let numbers = points.flatMap { point in (0..<8).map { UInt8(point.bitPattern >> (8 * $0) & 0xff) } }
      return Array("road \(random.next() % 100_000) of some town".utf8) + numbers
    }
    let records = (0..<400).map { _ in record() }
    var changed = records
    for _ in 0..<60 {
      let index = Int.random(in: 0..<changed.count, using: &random)
      switch random.next() % 3 {
      case 0: changed[index] = record()
      case 1: changed.remove(at: index)
      default: changed[index][3] ^= 1
      }
    }
    // What moved comes from far outside of its window.
    let moved = Array(changed[..<40])
    changed.removeFirst(40)
    return (records.flatMap { $0 }, (changed + moved).flatMap { $0 })
  }

  @Test(
    "files of all sorts are made, whatever the size of a window", arguments: [900, 5000, 20_000],
    FilePair.pairs(seed: 31, size: 3000) + FilePair.pairs(seed: 32, size: 30_000))
  func allSorts(size: Int, pair: FilePair) throws {
    let patch = try PatchMaker().make(old: pair.old.span, new: pair.new.span, plan: Self.plan(size))
    #expect(try Self.apply(patch, to: pair.old) == pair.new, "\(pair.name)")
  }

  @Test("a patch by windows is not much larger than one by all", arguments: 1...3)
  func sizes(seed: UInt64) throws {
    let (old, new) = Self.files(seed: seed)
    let all = try PatchMaker().make(old: old.span, new: new.span)
    let windows = try PatchMaker().make(old: old.span, new: new.span, plan: Self.plan(100_000))
    #expect(try Self.apply(windows, to: old) == new)
    let sizes = [all, windows].map(\.bytes.count)
    #expect(sizes[1] <= sizes[0] * 5 / 4, "all, by windows: \(sizes)")
  }

  @Test("the bytes do not depend on who helps")
  func processors() throws {
    let (old, new) = Self.files(seed: 5)
    var options = PatchMaker.Options()
    let alone = try PatchMaker(options).make(old: old.span, new: new.span, plan: Self.plan(60_000))
    options.processors = Processors(3)
    let helped = try PatchMaker(options).make(old: old.span, new: new.span, plan: Self.plan(60_000))
    #expect(alone.bytes == helped.bytes)
  }

  @Test("a packed file is made by windows, too, with numbers as such")
  func packed() throws {
    let new = Self.files(seed: 6).new
    let nothing: [UInt8] = []
    let patch = try PatchMaker().make(old: nothing.span, new: new.span, plan: Self.plan(50_000))
    #expect(try Self.apply(patch, to: []) == new)
    let all = try PatchMaker().make(old: nothing.span, new: new.span)
    #expect(patch.bytes.count <= all.bytes.count * 5 / 4, "\(patch.bytes.count) and \(all.bytes.count)")
  }

  @Test("random files, with streams split by the links of pages, are made", arguments: 1...60)
  func randomFiles(seed: UInt64) throws {
    var generator = PairGenerator(seed: seed)
    let pair = try generator.pair()
    let size = generator.chance(500...6000)
    let patch = try PatchMaker().make(old: pair.old.span, new: pair.new.span, plan: Self.plan(size))
    #expect(try Self.apply(patch, to: pair.old) == pair.new, "\(pair.name), windows of \(size)")
  }

  /// Texts that are compressed, with records between them; a word of each text changed, and some texts moved far.
  private static func archives(seed: UInt64) throws -> (old: [UInt8], new: [UInt8]) {
    var random = SeededGenerator(seed)
    let parameters = try #require(DeflateParameters(level: 6, wrapper: .zlib))
    let words = (0..<300).map { _ in random.bytes(Int.random(in: 3...9, using: &random), values: 26) }
    var (old, new, moved): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
    for number in 0..<80 {
      let text = (0..<900).map { _ in words[Int.random(in: 0..<300, using: &random)] }
      let record = random.bytes(200)
      old += try record + deflated(Array(text.joined(separator: [32])), parameters)
      let changed = text[..<700] + [words[5]] + text[700...]
      let packed = try record + deflated(Array(changed.joined(separator: [32])), parameters)
      if number < 10 { moved += packed } else { new += packed }
    }
    return (old, new + moved)
  }

  @Test(
    "compressed texts are made from old ones, as in a file that is searched as a whole", arguments: [nil, 3])
  func streams(helpers: Int?) throws {
    let (old, new) = try Self.archives(seed: 7)
    var options = PatchMaker.Options()
    if let helpers { options.processors = Processors(helpers) }
    let scratch = try Scratch("residual")
    options.workDirectory = scratch.path
    let all = try PatchMaker().make(old: old.span, new: new.span)
    let windows = try PatchMaker(options).make(old: old.span, new: new.span, plan: Self.plan(60_000))
    #expect(try Self.apply(windows, to: old) == new)
    let sizes = [all.bytes.count, windows.bytes.count]
    #expect(sizes[0] < new.count / 20 && sizes[1] < sizes[0] * 5 / 4, "all, by windows: \(sizes)")
    #expect(try scratch.names() == [])
    // Not in a file, the bytes of the residual are the same.
    options.workDirectory = nil
    let inMemory = try PatchMaker(options).make(old: old.span, new: new.span, plan: Self.plan(60_000))
    #expect(inMemory.bytes == windows.bytes)
  }

  @Test("what a file with streams is made of without them counts, if that is smaller")
  func withoutStreams() throws {
    let (old, new) = try Self.archives(seed: 8)
    // No streams, for their checksums are wrong; their bytes are almost those of the new ones.
    var damaged = new
    for index in stride(from: 40, to: damaged.count, by: 900) { damaged[index] ^= 1 }
    let patch = try PatchMaker().make(old: (damaged + old).span, new: new.span, plan: Self.plan(60_000))
    #expect(try Self.apply(patch, to: damaged + old) == new)
    let all = try PatchMaker().make(old: (damaged + old).span, new: new.span)
    let sizes = [all.bytes.count, patch.bytes.count]
    #expect(sizes[1] < sizes[0] * 5 / 4, "all, by windows: \(sizes)")
  }

  @Test("windows cover the new file, and each has the part of the old one that most of it comes from")
  func parts() {
    let old = [UInt8](repeating: 1, count: 10_000)
    let new = [UInt8](repeating: 1, count: 2500)
    let copies = [
      Copy(new: 0, old: 7000, length: 900), Copy(new: 950, old: 100, length: 100),
      Copy(new: 1300, old: 9900, length: 100),
    ]
    old.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { new in
        let windows = SearchWindow.all(copies, old: old, new: new, size: 1000)
        #expect(windows.map(\.range) == [0..<1000, 1000..<2000, 2000..<2500])
        #expect(windows.allSatisfy { $0.part.count == 1000 })
        #expect(windows[0].part == 6950..<7950 && windows[1].part == 9000..<10_000)
        // No copy: at the same place of the old file.
        #expect(windows[2].part == 8500..<9500)
        #expect(windows.map { $0.copies.map(\.length) } == [[900, 50], [50, 100], []])
        #expect(windows[1].copies[0].old == 150)
      }
    }
  }

  @Test("memory below that of all suffixes gives windows, none of them smaller than 1 MiB")
  func plans() {
    let count = 100 << 20
    // Limits count in steps: 384 MiB, and the one below it, 352 MiB.
    #expect(SearchBudget.choose(old: count, new: count, limit: 384 << 20).effort == .full)
    let less = SearchBudget.choose(old: count, new: count, limit: 383 << 20)
    #expect(less.effort == .windows(size: ((352 << 20) - (352 << 18) - (64 << 20)) / 3))
    let least = SearchBudget.choose(old: count, new: count, limit: 1)
    #expect(least.effort == .windows(size: 1 << 20) && least.memory == 67 << 20)
    // A window with its part of the old file fits.
    if case .windows(let size) = less.effort {
      #expect(SearchBudget.choose(old: size, new: size, limit: less.limit).effort == .full)
    }
  }

  @Test(
    "a limit is rounded down, by less than an eighth",
    arguments: [
      (0, 0), (1, 1), (15, 15), (16, 16), (17, 16), (35, 32), (1000, 960), (1 << 30, 1 << 30),
      (Int.max, 15 << 59),
    ])
  func rounding(limit: Int, rounded: Int) {
    #expect(SearchBudget.rounded(limit) == rounded && SearchBudget.rounded(rounded) == rounded)
  }
}
