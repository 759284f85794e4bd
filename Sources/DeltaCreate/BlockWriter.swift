internal import DeltaApply

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

  /// The most bytes that stand in front of the streams, the block's size left out.
  static var maximumHeader: Int { 1 + 4 * (BlockStream.allCases.count - 1) }

  /// The block without its size.
  func encoded() -> [UInt8] {
    var streams = [kinds, covers, runs, differences, numbers, targets, extras]
    // All of the same kind as without that stream.
    if kinds.allSatisfy({ $0 == OperationKind.old.byte }) { streams[BlockStream.kinds.rawValue] = [] }
    var mask: UInt8 = 0
    var sizes: [UInt8] = []
    let last = streams.lastIndex { !$0.isEmpty }
    for (index, stream) in streams.enumerated() where !stream.isEmpty {
      mask |= 1 << UInt8(index)
      if index != last { Varint.append(UInt64(stream.count), to: &sizes) }
    }
    return [mask] + sizes + streams.joined()
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
