package import Codec
package import TestSupport

/// Makes random old and new files like those of maps: bytes of all sorts, lines of points as decimal doubles at any
/// alignment, and deflate streams, possibly split by the links of a database's pages.
///
/// The same seed makes the same files.
package struct PairGenerator {
  package var random: SeededGenerator

  /// A part of a file.
  private enum Part {
    case bytes([UInt8])
    case numbers([Double])
    case packed([UInt8], DeflateParameters)

    func bytes() throws(CodecError) -> [UInt8] {
      switch self {
      case .bytes(let bytes): bytes
      case .packed(let content, let parameters): try deflated(content, parameters)
      case .numbers(let numbers):
        numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * $0)) } }
      }
    }
  }

  package init(seed: UInt64) { random = SeededGenerator(seed) }

  /// A random number.
  package mutating func chance(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  /// The next pair.
  package mutating func pair() throws(CodecError) -> FilePair {
    switch chance(0...19) {
    case 0: return FilePair(name: "tiny", old: random.bytes(chance(0...9)), new: random.bytes(chance(0...9)))
    case 1: return FilePair(name: "old empty", old: [], new: try file(parts()))
    case 2: return FilePair(name: "new empty", old: try file(parts()), new: [])
    default: break
    }
    let old = parts()
    var new = old
    for _ in 0..<chance(0...8) { edit(&new) }
    var newFile = try file(new)
    for _ in 0..<chance(0...3) { edit(&newFile) }
    let oldFile = try file(old)
    // What a page of SQLite has for a blob: the number of the next page, then the blob's next bytes.
    guard chance(0...2) == 0 else { return FilePair(name: "plain", old: oldFile, new: newFile) }
    return FilePair(name: "paged", old: cutByLinks(oldFile), new: cutByLinks(newFile))
  }

  // MARK: - Contents

  private mutating func parts() -> [Part] {
    let largest = [30, 300, 3000, 12_000][min(3, chance(0...9) / 2)]
    return (0..<chance(1...8)).map { _ in part(largest) }
  }

  private mutating func part(_ largest: Int) -> Part {
    let count = chance(1...largest)
    switch chance(0...10) {
    case 9, 10: return packed(count)
    case 0: return .bytes(random.bytes(count))
    case 1: return .bytes(random.bytes(count, values: chance(2...40)))
    case 2: return .bytes([UInt8](repeating: chance(0...1) == 0 ? 0 : UInt8(chance(0...255)), count: count))
    case 3:
      let pattern = random.bytes(chance(1...20))
      return .bytes((0..<count).map { pattern[$0 % pattern.count] })
    case 4: return .bytes((0..<count).map { UInt8(truncatingIfNeeded: ($0 / 4) >> (8 * ($0 % 4))) })
    default: return .numbers(line(max(1, count / 8)))
    }
  }

  /// A deflate stream of words.
  private mutating func packed(_ count: Int) -> Part {
    let words = (0..<20).map { _ in random.bytes(chance(1...12), values: 40) }
    var content: [UInt8] = []
    while content.count < count { content += words[chance(0...19)] }
    let level = [6, 6, 9, 1][chance(0...3)]
    let wrapper: DeflateParameters.Wrapper = chance(0...1) == 0 ? .gzip : .zlib
    guard let parameters = DeflateParameters(level: UInt8(level), wrapper: wrapper) else {
      return .bytes(content)
    }
    return .packed(content, parameters)
  }

  /// Numbers that change in small steps, of one to three dimensions; a few of them are arbitrary.
  private mutating func line(_ count: Int) -> [Double] {
    let decimals = chance(0...9)
    let power = (0..<decimals).reduce(1.0) { power, _ in power * 10 }
    let dimensions = chance(1...3)
    let step = [3, 1000, 100_000, 1 << 40][chance(0...3)]
    var integers = (0..<dimensions).map { _ in Int(Double(chance(-180...180)) * power) }
    let isPure = chance(0...3) > 0
    return (0..<count).map { index in
      if !isPure && chance(0...19) == 0 { return odd() }
      integers[index % dimensions] += chance(-step...step)
      if integers[index % dimensions].magnitude > 1 << 53 { integers[index % dimensions] = 0 }
      return Double(integers[index % dimensions]) / power
    }
  }

  /// A double that is not a short fraction, or at a limit.
  private mutating func odd() -> Double {
    let doubles = [
      0, -0.0, .nan, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 1.0 / 3,
      9_007_199_254_740_992, -9_007_199_254_740_991, 4_294_967_295.5, 1e-9, .pi,
    ]
    return chance(0...2) == 0 ? Double(bitPattern: random.next()) : doubles[chance(0...doubles.count - 1)]
  }

  private func file(_ parts: [Part]) throws(CodecError) -> [UInt8] {
    var bytes: [UInt8] = []
    for part in parts { bytes += try part.bytes() }
    return bytes
  }

  private mutating func cutByLinks(_ bytes: [UInt8]) -> [UInt8] {
    let page = [4096, 512][chance(0...1)]
    var cut = random.bytes(chance(0...page))
    var next = chance(2...1000)
    for start in stride(from: 0, to: bytes.count, by: page - 4) {
      cut += [0, 0, UInt8(next >> 8), UInt8(next & 0xff)] + bytes[start..<min(start + page - 4, bytes.count)]
      next += chance(0...9) == 0 ? 2 : 1
    }
    return cut
  }

  // MARK: - Changes

  private mutating func edit(_ parts: inout [Part]) {
    guard !parts.isEmpty else { return parts.append(part(300)) }
    let index = chance(0...parts.count - 1)
    switch chance(0...9) {
    case 0: parts.remove(at: index)
    case 1: parts.insert(parts.remove(at: index), at: chance(0...parts.count))
    case 2: parts.insert(parts[index], at: chance(0...parts.count))
    case 3: parts.insert(part(300), at: index)
    case 4: parts.insert(.bytes(random.bytes(chance(1...9))), at: index)  // what follows is aligned otherwise
    default: parts[index] = changed(parts[index])
    }
  }

  private mutating func changed(_ part: Part) -> Part {
    switch part {
    case .bytes(var bytes):
      edit(&bytes)
      return .bytes(bytes)
    case .packed(var content, let parameters):
      edit(&content)
      return .packed(content, parameters)
    case .numbers(let numbers):
      let start = chance(0...numbers.count)
      let end = chance(start...numbers.count)
      var changed = numbers
      switch chance(0...3) {
      case 0:  // the points of a part, in the other direction
        let points = numbers[start..<end].count / 2
        for point in 0..<points {
          changed[start + 2 * point] = numbers[start + 2 * (points - 1 - point)]
          changed[start + 2 * point + 1] = numbers[start + 2 * (points - 1 - point) + 1]
        }
      case 1: changed.removeSubrange(start..<end)
      case 2: changed.insert(contentsOf: numbers[start..<end], at: chance(0...numbers.count))
      default: for index in start..<end where chance(0...9) == 0 { changed[index] += 0.001 }
      }
      return .numbers(changed)
    }
  }

  private mutating func edit(_ bytes: inout [UInt8]) {
    let offset = chance(0...bytes.count)
    let end = min(offset + chance(0...300), bytes.count)
    switch chance(0...4) {
    case 0: bytes.removeSubrange(offset..<end)
    case 1: bytes.insert(contentsOf: random.bytes(end - offset), at: offset)
    case 2: bytes.insert(contentsOf: bytes[offset..<end], at: chance(0...bytes.count))
    case 3: for index in offset..<end { bytes[index] = 0 }
    default: for index in offset..<end { bytes[index] &+= UInt8(chance(0...3)) }
    }
  }
}

/// What zlib makes of a content.
package func deflated(_ content: [UInt8], _ parameters: DeflateParameters) throws(CodecError) -> [UInt8] {
  var deflater = try Deflater(parameters)
  var result: [UInt8] = []
  var taken = 0
  var space = [UInt8](repeating: 0, count: 64 << 10)
  while !deflater.isFinished {
    var span = space.mutableSpan
    var output = span.mutableBytes
    let counts = try deflater.deflate(content.span.bytes.extracting(taken...), into: &output, isLast: true)
    taken += counts.read
    result += space[..<counts.written]
  }
  return result
}
