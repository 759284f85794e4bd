import Codec
import DeltaTestSupport
import PatchFormat
import TestSupport
import Testing

@testable import DeltaCreate

private let usual = DeflateParameters(level: 6, wrapper: .zlib)

@Suite("DeflateFinder")
struct DeflateFinderTests {
  @Test("every stream is found, inflates, and is made again bit for bit", arguments: DeflateFixtures.names)
  func everyStream(name: String) throws {
    let found = try foundStreams(DeflateFixtures.file(name))
    let expected = try Set(DeflateFixtures.contents())
    #expect(Set(found.map(\.content)) == expected)
    // An index repeats what its table has, and may cut it elsewhere.
    #expect(name == "rows.db" ? found.count >= expected.count : found.count == expected.count)
    for stream in found { #expect(stream.stream.parameters != nil, "\(stream.content.count) bytes") }
  }

  @Test("a source is found with the same content, and without parameters", arguments: DeflateFixtures.names)
  func sources(name: String) throws {
    let file = try DeflateFixtures.file(name)
    let found = try foundStreams(file, for: .source)
    #expect(found.map(\.content) == (try foundStreams(file)).map(\.content))
    for stream in found { #expect(stream.stream.parameters == nil) }
  }

  @Test("the parameters are those that were used")
  func parameters() throws {
    let found = try foundStreams(DeflateFixtures.file("adjacent.bin"))
    var expected: [DeflateParameters?] = []
    for number in 0..<12 {
      let (level, wrapper, memLevel) =
        [
          (6, .gzip, 8), (9, .zlib, 8), (1, .zlib, 9), (6, .gzip, 9), (5, .zlib, 8), (9, .gzip, 8),
        ][number % 6] as (UInt8, DeflateParameters.Wrapper, UInt8)
      expected.append(DeflateParameters(level: level, memLevel: memLevel, wrapper: wrapper))
    }
    // Small contents are the same with other levels; only large ones distinguish them.
    for number in 10..<12 { #expect(found[number].stream.parameters == expected[number], "stream \(number)") }
  }

  @Test("a gzip header with a name and a time stays outside of the stream")
  func named() throws {
    let file = try DeflateFixtures.file("named.bin")
    for found in try foundStreams(file) {
      #expect(found.stream.wrapper == .raw)
      // The terminator of the name is the last byte before.
      #expect(file[found.stream.extents[0].lowerBound - 1] == 0)
    }
    #expect(try foundStreams(file, for: .source).allSatisfy { $0.stream.wrapper == .gzip })
  }

  @Test("blobs that are larger than a page are gathered from many extents")
  func extents() throws {
    let found = try foundStreams(DeflateFixtures.file("512.db"))
    let largest = try #require(found.max { $0.content.count < $1.content.count })
    // 512 bytes a page, four of them the number of the next.
    #expect(largest.stream.extents.count > largest.stream.size / 508)
  }

  @Test("a database after a header, which components have, is read like one at the beginning of the file")
  func afterHeader() throws {
    let file = try DeflateFixtures.file("512.db")
    let known = try foundStreams(file)
    for size in [1, 333, 4096, 65_000] {
      let found = try foundStreams([UInt8](repeating: 0x53, count: size) + file)
      #expect(found.map(\.content) == known.map(\.content))
      #expect(
        found.map(\.stream.extents)
          == known.map { $0.stream.extents.map { $0.lowerBound + size..<$0.upperBound + size } })
    }
  }

  @Test("a gzip stream whose header names another effort than zlib's is made again without its header")
  func otherEffort() throws {
    let content = try DeflateFixtures.contents()[9]
    for level in [1, 6, 9] as [UInt8] {
      let gzip = try #require(DeflateParameters(level: level, wrapper: .gzip))
      var stream = try deflated(content, gzip)
      #expect(try foundStreams(stream).map(\.stream.parameters) == [gzip])
      stream[8] = 3
      let found = try foundStreams(stream)
      #expect(found.map(\.stream.parameters?.wrapper) == [.raw])
      #expect(found.map(\.stream.extents) == [[10..<stream.count - 8]])
    }
  }

  @Test("zlib streams of other windows are made again, and in pictures whose header names a smaller one too")
  func windows() throws {
    let content = try DeflateFixtures.contents()[6]
    for windowBits in 9...14 as ClosedRange<UInt8> {
      let parameters = try #require(DeflateParameters(level: 6, windowBits: windowBits, wrapper: .zlib))
      let stream = try deflated(content, parameters)
      let file = picture(stream)
      #expect(try foundStreams(file).map(\.stream.parameters) == [parameters])
    }
    let bare = try #require(DeflateParameters(level: 6, windowBits: 15, wrapper: .raw))
    let larger = try DeflateFixtures.contents()[9]
    var changed = try deflated(larger, try #require(DeflateParameters(level: 6, wrapper: .zlib)))
    changed[0] = 0x58
    changed[1] = 0xc3
    try #require((0x58 << 8 + 0xc3) % 31 == 0)
    #expect(try foundStreams(picture(changed)).map(\.stream.parameters) == [bare])
  }

  @Test("streams that are too small or too large are not listed")
  func limits() throws {
    let parameters = try #require(usual)
    var random = SeededGenerator(9)
    let cases: [(content: [UInt8], isFound: Bool)] = [
      (random.bytes(63), false), (random.bytes(64), true), ([UInt8](repeating: 1, count: 3000), false),
      (random.bytes(100_000, values: 3), true), (random.bytes(100_001, values: 3), false),
    ]
    for (content, isFound) in cases {
      let file = try [1, 2, 3] + deflated(content, parameters) + [4, 5, 6]
      let found = try foundStreams(file, for: .source, maximumContent: 100_000)
      #expect(found.map(\.content) == (isFound ? [content] : []))
    }
  }

  @Test("a stream with too much content is followed to its end, and counts if it is whole")
  func large() throws {
    let parameters = try #require(usual)
    var random = SeededGenerator(13)
    // Each of its blocks has a stream.
    let inner = try deflated(random.bytes(64), parameters)
    let block = inner + [UInt8](repeating: 0, count: 100 - inner.count)
    let maximumContent = 1 << 20
    let count = maximumContent / 100 + 3
    let large = storedStream(Array(repeatElement(block, count: count).joined()))
    let small = try deflated(random.bytes(200, values: 20), parameters)
    func expect(_ file: [UInt8], large: [Range<Int>], small: [Range<Int>]) throws {
      try file.withUnsafeBufferPointer { file in
        let found = try DeflateFinder.search(file, for: .target, maximumContent: maximumContent)
        #expect(found.large.map(\.extents) == large.map { [$0] })
        #expect(found.streams.map(\.extents) == small.map { [$0] })
      }
    }
    let end = large.count + 3
    try expect([1, 2, 3] + large + small, large: [3..<end], small: [end..<end + small.count])
    var damaged = large
    damaged[damaged.count - 1] ^= 1
    try expect([1, 2, 3] + damaged + small, large: [], small: [end..<end + small.count])
    try expect([1, 2, 3] + large.dropLast(5), large: [], small: [])
  }

  @Test("nothing is passed over in a file of many streams")
  func everyOneOfMany() throws {
    var random = SeededGenerator(10)
    let stream = try deflated(random.bytes(64), try #require(usual))
    let file = Array(repeatElement(stream, count: 70_000).joined())
    let found = try file.withUnsafeBufferPointer { try DeflateFinder.search($0, for: .source) }
    #expect(found.streams.count == 70_000 && found.unsearched == 0)
  }

  @Test("no more extents are listed than allowed, and what is skipped is counted")
  func manyStreams() throws {
    let parameters = try #require(usual)
    var random = SeededGenerator(10)
    let stream = try deflated(random.bytes(64), parameters)
    let file = Array(repeatElement(stream, count: 300).joined())
    try file.withUnsafeBufferPointer { file in
      for most in [1, 299, 300, 301] {
        let found = try DeflateFinder.search(file, for: .source, maximumExtents: most)
        #expect(found.streams.count == min(most, 300))
        #expect(found.unsearched == max(0, 300 - most) * stream.count)
      }
    }
  }

  @Test("in a database that is searched in part the pages are counted that are not")
  func manyBlobs() throws {
    let file = try DeflateFixtures.file("512.db")
    try file.withUnsafeBufferPointer { file in
      let all = try DeflateFinder.search(file, for: .source)
      #expect(all.unsearched == 0)
      let extents = all.streams.reduce(0) { $0 + $1.extents.count }
      let some = try DeflateFinder.search(file, for: .source, maximumExtents: extents / 2)
      #expect(some.streams.count < all.streams.count && some.streams.count > 0)
      #expect(some.unsearched > 0 && some.unsearched < file.count)
    }
  }

  @Test("streams that zlib did not make cost few tries, however many there are")
  func foreignStreams() throws {
    let parameters = try #require(DeflateParameters(level: 4, windowBits: 10, memLevel: 2, wrapper: .raw))
    let content = try DeflateFixtures.contents()[8]
    let stream = try deflated(content, parameters)
    var search = try ParameterSearch()
    try stream.withUnsafeBufferPointer { file in
      try content.withUnsafeBufferPointer { content in
        for _ in 0..<1000 {
          let wrapped = WrappedStream(
            all: Extents([0..<file.count], of: file), size: file.count, header: 0, wrapper: .raw)
          let isFound = try search.find(content, of: wrapped) != nil
          #expect(!isFound)
        }
      }
    }
    let tries = search.tries
    // Two whole searches in a row, and then one after 4, 8, 16, … more.
    #expect(tries < 30 * 12)
  }

  @Test("of two streams that share bytes the one that was found first stays")
  func overlaps() {
    func stream(_ extents: Range<Int>...) -> DeflateStream {
      DeflateStream(extents: extents, contentSize: 100, wrapper: .raw, parameters: nil)
    }
    let first = stream(100..<200, 400..<500)
    let second = stream(150..<160)
    let third = stream(0..<101)
    let fourth = stream(200..<300)
    let fifth = stream(300..<400, 499..<600)
    #expect(DeflateFinder.withoutOverlaps([first, second, third, fourth, fifth]) == [first, fourth])
    #expect(DeflateFinder.withoutOverlaps([fifth, fourth, third, second]) == [third, second, fourth, fifth])
    #expect(DeflateFinder.withoutOverlaps([]) == [])
  }
}

@Suite("DeflateFinder and damaged files")
struct DamagedFileTests {
  @Test(
    "a file that ends anywhere harms nothing",
    arguments: ["512.db", "autovacuum.db", "sized.zip", "pictures.bin"])
  func prefixes(name: String) throws {
    let file = try DeflateFixtures.file(name)
    for count in stride(from: 0, to: min(file.count, 30_000), by: 509) {
      _ = try foundStreams(Array(file[..<count]), for: .source)
    }
  }

  @Test(
    "damaged bytes harm nothing",
    arguments: ["512.db", "withoutRowID.db", "named.bin", "piped.zip", "pictures.db"])
  func damage(name: String) throws {
    let file = try Array(DeflateFixtures.file(name).prefix(40_000))
    var random = SeededGenerator(11)
    for _ in 0..<60 {
      var damaged = file
      for _ in 0..<Int.random(in: 1...200, using: &random) {
        damaged[Int.random(in: 0..<file.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      // What leads elsewhere: headers, pointers, sizes.
      for page in 0..<file.count / 512 where Bool.random(using: &random) {
        damaged[page * 512 + Int.random(in: 0..<12, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      damaged.replaceSubrange(0..<20, with: file[0..<20])
      _ = try foundStreams(damaged, for: .source)
    }
  }

  @Test("a chain of pages that leads back to itself ends")
  func cycle() throws {
    var file = try DeflateFixtures.file("512.db")
    // Every page that is not a page of a tree continues at page 7, page 7 too.
    for page in stride(from: 512, to: file.count, by: 512) where ![2, 5, 10, 13].contains(file[page]) {
      file.replaceSubrange(page..<page + 4, with: [0, 0, 0, 7])
    }
    let found = try foundStreams(file, for: .source)
    // The streams that fit their page are still there.
    #expect(found.count >= 3 && found.count < 12)
  }

  @Test("all page sizes and reserves of a database's header are read or refused")
  func headers() throws {
    let file = try DeflateFixtures.file("512.db")
    for high in [0, 1, 2, 3, 4, 0x10, 0x80, 0xff] as [UInt8] {
      for (low, reserved) in [(0, 0), (1, 0), (0, 32), (0, 33), (0, 255), (255, 255)] as [(UInt8, UInt8)] {
        var changed = file
        changed.replaceSubrange(16..<18, with: [high, low])
        changed[20] = reserved
        _ = try foundStreams(changed, for: .source)
      }
    }
  }

  /// At each of 150,000 offsets begins what looks like a stream up to the end of the file.
  @Test("bytes that look like many long streams cost little")
  func falseBeginnings() throws {
    let stored: [UInt8] = [0, 2, 0, 0xfd, 0xff, 0x78, 0x01]
    var file: [UInt8] = []
    for _ in 0..<150_000 { file += stored }
    let seconds = try processorSeconds { try #expect(foundStreams(file, for: .source).isEmpty) }
    #expect(seconds < 2)
  }

  @Test("bytes without any stream have none")
  func noise() throws {
    var random = SeededGenerator(12)
    #expect(try foundStreams(random.bytes(300_000), for: .source).isEmpty)
    let headers =
      [[0x78, 0x9c], [0x1f, 0x8b, 8, 0], [0x50, 0x4b, 3, 4], [0x89, 0x50, 0x4e, 0x47]] as [[UInt8]]
    var file: [UInt8] = []
    while file.count < 200_000 { file += headers.randomElement(using: &random) ?? [] }
    #expect(try foundStreams(file, for: .source).isEmpty)
  }
}
