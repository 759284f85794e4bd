internal import PatchFormat

/// Leaves out covers that do not pay, and joins those that go on with the same alignment.
///
/// A matcher decides about a match before it knows how much of it the next one takes over; what is left of it can be a
/// few bytes, for which two long steps are told: there and back.
struct CoverPruning {
  let old: UnsafeBufferPointer<UInt8>
  let new: UnsafeBufferPointer<UInt8>

  /// The covers that are left, in the order of the new file.
  func pruned(_ covers: [Cover]) -> [Cover] {
    var kept: [Cover] = []
    kept.reserveCapacity(covers.count)
    for (index, cover) in covers.enumerated() {
      let next = index + 1 < covers.count ? covers[index + 1] : nil
      guard cover.length > CoverPruning.longest || pays(cover, after: kept.last, before: next) else {
        continue
      }
      if let last = kept.last, last.shift == cover.shift, cover.new - last.end <= CoverPruning.widestGap {
        kept[kept.count - 1] = Cover(new: last.new, old: last.old, length: cover.end - last.new)
      } else {
        kept.append(cover)
      }
    }
    return kept
  }

  /// Whether the bytes that a cover saves are more than what is told of it.
  private func pays(_ cover: Cover, after last: Cover?, before next: Cover?) -> Bool {
    let lastEnd = last.map { $0.old + $0.length } ?? 0
    var cost = CoverPruning.operation + step(from: lastEnd, to: cover.old)
    if let next {
      cost += step(from: cover.old + cover.length, to: next.old) - step(from: lastEnd, to: next.old)
    }
    var saved = 0
    for index in 0..<cover.length where old[cover.old + index] == new[cover.new + index] { saved += 1 }
    return saved > cost
  }

  private func step(from end: Int, to start: Int) -> Int {
    Varint.size(of: Varint.zigzag(Int64(start - end)))
  }

  /// Longer covers always pay.
  private static var longest: Int { 16 }
  /// What is told of a cover besides its step, in bytes.
  private static var operation: Int { 2 }
  /// The most bytes between two covers that are rather told as differences than as extras.
  private static var widestGap: Int { 8 }
}

extension Cover {
  fileprivate var shift: Int { old - new }
  fileprivate var end: Int { new + length }
}
