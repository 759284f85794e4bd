internal import TestSupport

/// An old and a new file, and how the second came from the first.
package struct FilePair: Sendable, CustomStringConvertible {
  package let name: String
  package let old: [UInt8]
  package let new: [UInt8]

  package var description: String { name }

  /// Pairs of all sorts that a patch has to handle; `seed` is in their names.
  package static func pairs(seed: UInt64, size: Int) -> [FilePair] {
    var random = SeededGenerator(seed)
    let base = random.bytes(size, values: 40)
    let other = random.bytes(size / 3)
    var changed = base
    for _ in 0..<size / 50 { changed[Int.random(in: 0..<size, using: &random)] &+= 1 }
    var every = base
    for index in stride(from: 0, to: size, by: 7) { every[index] ^= 0xff }
    var moved: [UInt8] = []
    let block = size / 10
    for part in [7, 2, 0, 9, 1, 1, 4] { moved += base[part * block..<(part + 1) * block] }
    let zeros = [UInt8](repeating: 0, count: size)
    var dotted = zeros
    for index in stride(from: 100, to: size, by: 997) { dotted[index] = 1 }
    let pairs: [(String, [UInt8], [UInt8])] = [
      ("both empty", [], []), ("empty old", [], base), ("empty new", base, []), ("one byte", [1], [2]),
      ("two bytes", [1, 2], [2, 1]), ("identical", base, base), ("one byte appended", base, base + [9]),
      ("inserted", base, Array(base[..<(size / 2)] + other + base[(size / 2)...])),
      ("removed", base, Array(base[..<(size / 4)] + base[(size / 2)...])), ("moved blocks", base, moved),
      ("bytes changed here and there", base, changed), ("each seventh byte changed", base, every),
      ("zeros from nothing", [], zeros), ("zeros to zeros", zeros, Array(zeros[..<(size / 2)])),
      ("more zeros than before", Array(zeros[..<(size / 3)]), zeros), ("dotted zeros", zeros, dotted),
      ("dots removed", dotted, zeros), ("unrelated", base, random.bytes(size)),
      ("reversed", base, base.reversed()),
    ]
    return pairs.map { FilePair(name: "\($0.0), seed \(seed)", old: $0.1, new: $0.2) }
  }
}
