internal import PatchFormat

/// The streams of a block that is being written.
struct BlockWriter {
  var kinds: [UInt8] = []
  var covers: [UInt8] = []
  var runs: [UInt8] = []
  var differences: [UInt8] = []
  var numbers: [UInt8] = []
  var targets: [UInt8] = []
  var extras: [UInt8] = []

  /// The bytes of all streams.
  var size: Int {
    kinds.count + covers.count + runs.count + differences.count + numbers.count + targets.count + extras.count
  }

  /// The block without its size.
  func encoded() -> [UInt8] {
    BlockLayout.encode([kinds, covers, runs, differences, numbers, targets, extras])
  }

  mutating func removeAll() {
    kinds.removeAll(keepingCapacity: true)
    covers.removeAll(keepingCapacity: true)
    runs.removeAll(keepingCapacity: true)
    differences.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
    targets.removeAll(keepingCapacity: true)
    extras.removeAll(keepingCapacity: true)
  }
}
