package import PatchFormat

/// Up to where of the new file each part of the old file is read: what an update in place can give back at a checkpoint.
///
/// `ReadScan` finds it from the instructions alone. A section is what applying resumes at, so all that counts is the last
/// section that reads a part.
package struct LastReads {
  /// Bytes of the old file that are given back together.
  package let unit: UInt64
  package let oldSize: UInt64
  package let newSize: UInt64
  /// The bytes of the new file at the end of each section; the last one ends at `newSize`.
  private var ends: [UInt64] = []
  /// The number of the last section that reads each unit, from 1 on; 0: none does.
  private var sections: [UInt16]

  private static var units: Int { 1 << 16 }
  /// Later sections count as one.
  private static var maximumSections: Int { 1 << 13 }

  /// - `block`: what the file system can give back at a time, in bytes.
  init(oldSize: UInt64, newSize: UInt64, block: UInt64) {
    var unit = max(block, 1)
    while oldSize / unit >= UInt64(LastReads.units) { unit *= 2 }
    self.unit = unit
    self.oldSize = oldSize
    self.newSize = newSize
    sections = [UInt16](repeating: 0, count: Int((oldSize + unit - 1) / unit))
  }

  /// Counts bytes of the old file that the current section reads.
  mutating func read(_ offset: UInt64, count: UInt64) {
    guard count > 0, offset < oldSize else { return }
    let last = min(offset + count, oldSize) - 1
    for index in Int(offset / unit)...Int(last / unit) { sections[index] = UInt16(ends.count + 1) }
  }

  /// Ends a section where `completed` bytes of the new file are made.
  mutating func endSection(at completed: UInt64) {
    if ends.count < LastReads.maximumSections { ends.append(completed) }
  }

  /// Nothing from `completed` bytes of the new file on, where a section ends, reads the unit.
  private func isFree(_ unit: Int, at completed: UInt64) -> Bool {
    let section = Int(sections[unit])
    return section == 0 || section <= ends.count && ends[section - 1] <= completed
  }

  /// Calls `body` with each extent of the old file that nothing reads any more from `completed` on.
  ///
  /// - `before`: where this was asked the last time; what was free then is left out. Nil for the first time.
  package func forEachFreed<Thrown: Error>(
    at completed: UInt64, since before: UInt64?, _ body: (Extent) throws(Thrown) -> Void
  ) throws(Thrown) {
    var first: Int?
    for index in 0...sections.count {
      let isNew =
        index < sections.count && isFree(index, at: completed)
        && before.map { !isFree(index, at: $0) } ?? true
      if isNew {
        if first == nil { first = index }
      } else if let start = first {
        let offset = UInt64(start) * unit
        try body(Extent(start: offset, size: min(UInt64(index) * unit, oldSize) - offset))
        first = nil
      }
    }
  }

  /// The most bytes that both files take together while the patch is applied in place.
  ///
  /// - `interval`: bytes of the new file between two checkpoints at least; each is saved, and then what it frees is given
  ///   back.
  /// - `allocated`: what the file system takes for a file of that many bytes.
  package func peak(interval: UInt64, allocated: (UInt64) -> UInt64) -> UInt64 {
    var (old, saved, peak) = (allocated(oldSize), 0 as UInt64, 0 as UInt64)
    for end in ends + [newSize] {
      peak = max(peak, allocated(end) + old)
      guard end >= saved + interval, end < newSize else { continue }
      saved = end
      old = allocated(oldSize)
      forEachFreed(at: end, since: nil) { old -= min(old, allocated($0.size)) }
    }
    return peak
  }
}
