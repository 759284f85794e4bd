internal import PatchFormat

/// Drops copies that cost more than they save, and joins those that continue with the same alignment.
///
/// A matcher decides about a match before it knows how much of it the next one takes; only a few bytes may be left, which
/// cost two long deltas: there and back.
struct CopyPruning {
  let old: UnsafeBufferPointer<UInt8>
  let new: UnsafeBufferPointer<UInt8>

  /// The remaining copies, in the order of the new file.
  func pruned(_ copies: [Copy]) -> [Copy] {
    var kept: [Copy] = []
    kept.reserveCapacity(copies.count)
    for (index, copy) in copies.enumerated() {
      let next = index + 1 < copies.count ? copies[index + 1] : nil
      guard copy.length > Tuning.CopyPruning.longest || pays(copy, after: kept.last, before: next) else {
        continue
      }
      if let last = kept.last, last.shift == copy.shift, copy.new - last.end <= Tuning.CopyPruning.widestGap {
        kept[kept.count - 1] = Copy(new: last.new, old: last.old, length: copy.end - last.new)
      } else {
        kept.append(copy)
      }
    }
    return kept
  }

  /// Whether a copy saves more bytes than encoding it costs.
  private func pays(_ copy: Copy, after last: Copy?, before next: Copy?) -> Bool {
    let lastEnd = last.map { $0.old + $0.length } ?? 0
    var cost = Tuning.CopyPruning.leastSaved + deltaSize(from: lastEnd, to: copy.old)
    if let next {
      cost += deltaSize(from: copy.old + copy.length, to: next.old) - deltaSize(from: lastEnd, to: next.old)
    }
    var saved = 0
    for index in 0..<copy.length where old[copy.old + index] == new[copy.new + index] { saved += 1 }
    return saved > cost
  }

  private func deltaSize(from end: Int, to start: Int) -> Int {
    Varint.size(of: Varint.zigzag(Int64(start - end)))
  }
}
