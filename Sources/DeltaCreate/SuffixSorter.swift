/// Sorts the suffixes of a text that begin at multiples of a step.
///
/// The algorithm of N. J. Larsson and K. Sadakane ("Faster suffix sorting", Theoretical Computer Science 387, 2007): suffixes
/// are sorted by their first bytes, and then, by the ranks found so far, by twice as many each time, so zeros and
/// repeated text take hardly longer than other data. Two integers for each suffix are all the memory.
struct SuffixSorter: ~Copyable {
  private let count: Int
  /// Suffixes in groups that are not distinguished yet; a run of suffixes in their final positions begins with minus its
  /// length.
  let suffixes: UnsafeMutablePointer<Int32>
  /// For each suffix the index of the last one of its group.
  private let ranks: UnsafeMutablePointer<Int32>
  /// How many suffixes ahead the rank is that distinguishes suffixes which are equal so far.
  private var distance = 0
  /// How many suffixes were compared with a pivot or in a heap.
  private(set) var comparisons = 0

  /// The suffixes of a text in order, each by its number, which is its offset divided by `step`.
  ///
  /// - `step`: 1, 2 or 4.
  ///
  /// The caller deallocates what is returned.
  static func sort(_ text: UnsafeBufferPointer<UInt8>, step: Int) -> UnsafeMutablePointer<Int32> {
    SuffixSorter(text, step: step).suffixes
  }

  /// Sorts at once; the caller deallocates `suffixes`.
  init(_ text: UnsafeBufferPointer<UInt8>, step: Int) {
    count = (text.count + step - 1) / step
    suffixes = .allocate(capacity: count)
    ranks = .allocate(capacity: count)
    sortByFirstBytes(text, step: step)
    distance = SuffixSorter.keySize / step
    while isUnsorted {
      sortGroups()
      distance *= 2
    }
    for number in 0..<count { suffixes[Int(ranks[number])] = Int32(number) }
  }

  deinit { ranks.deallocate() }

  /// Sorts suffixes by as many of their first bytes as a key has; first by half of these, which takes one pass.
  private mutating func sortByFirstBytes(_ text: UnsafeBufferPointer<UInt8>, step: Int) {
    var ends = [Int](repeating: 0, count: 1 << 16)
    for number in 0..<count {
      let key = SuffixSorter.key(text, at: number * step)
      ends[Int(key >> 16)] += 1
      ranks[number] = Int32(bitPattern: key ^ 1 << 31)
    }
    var end = 0
    for half in ends.indices {
      end += ends[half]
      ends[half] = end
    }
    for number in (0..<count).reversed() {
      let half = Int((UInt32(bitPattern: ranks[number]) ^ 1 << 31) >> 16)
      ends[half] -= 1
      suffixes[ends[half]] = Int32(number)
    }
    // What was an end is a beginning now.
    for half in ends.indices { sortGroup(ends[half], to: half + 1 < ends.count ? ends[half + 1] : count) }
  }

  /// The first bytes of a suffix, as a number that sorts like them; padded with zeros.
  private static func key(_ text: UnsafeBufferPointer<UInt8>, at offset: Int) -> UInt32 {
    if offset + keySize <= text.count {
      return UnsafeRawBufferPointer(text).loadUnaligned(fromByteOffset: offset, as: UInt32.self).bigEndian
    }
    var key: UInt32 = 0
    for index in offset..<offset + keySize { key = key << 8 | (index < text.count ? UInt32(text[index]) : 0) }
    return key
  }

  private var isUnsorted: Bool { count > 0 && suffixes[0] != -Int32(count) }

  /// Sorts each group by the ranks at `distance`, and joins neighbouring runs of what is sorted.
  private mutating func sortGroups() {
    var index = 0
    var sorted = 0
    while index < count {
      let entry = Int(suffixes[index])
      if entry < 0 {
        sorted -= entry
        index -= entry
        continue
      }
      if sorted > 0 {
        suffixes[index - sorted] = -Int32(sorted)
        sorted = 0
      }
      let end = Int(ranks[entry]) + 1
      sortGroup(index, to: end)
      index = end
    }
    if sorted > 0 { suffixes[count - sorted] = -Int32(sorted) }
  }

  /// Sorts the suffixes at these indices, and gives each group of equal ones its rank.
  private mutating func sortGroup(_ start: Int, to end: Int) {
    // Good pivots halve a group. More partitions than this mean bad luck, or a text that was built to defeat them.
    sort(start, to: end, partitions: 2 * (Int.bitWidth - (end - start).leadingZeroBitCount) + 8)
  }

  /// Sorts by partitioning, and with a heap what is left after `partitions` nested partitions.
  ///
  /// The smaller ones come first: their ranks may be keys of the others, and only ever go down.
  private mutating func sort(_ start: Int, to end: Int, partitions: Int) {
    var (start, partitions) = (start, partitions)
    while start < end {
      guard partitions > 0 else { return heapSort(start, to: end) }
      partitions -= 1
      comparisons += end - start
      let middle = partition(start, to: end)
      sort(start, to: middle.lowerBound, partitions: partitions)
      rank(middle)
      start = middle.upperBound
    }
  }

  /// Gives the suffixes at these indices, which are equal so far, their rank.
  private func rank(_ group: Range<Int>) {
    for index in group { ranks[Int(suffixes[index])] = Int32(group.upperBound - 1) }
    if group.count == 1 { suffixes[group.lowerBound] = -1 }
  }

  /// Sorts in a time that does not depend on the text.
  private mutating func heapSort(_ start: Int, to end: Int) {
    for index in (start..<(start + end) / 2).reversed() { sift(index, from: start, to: end) }
    for last in (start..<end).reversed() {
      swap(start, last)
      sift(start, from: start, to: last)
    }
    // No rank may change before the keys of all were compared.
    var groups: [Range<Int>] = []
    var first = start
    for index in start..<end where index + 1 == end || key(index + 1) != key(index) {
      groups.append(first..<index + 1)
      first = index + 1
    }
    for group in groups { rank(group) }
  }

  /// Moves a suffix of the heap that begins at `start` down below all that are greater.
  private mutating func sift(_ index: Int, from start: Int, to end: Int) {
    var index = index
    while true {
      var child = 2 * index - start + 1
      guard child < end else { return }
      comparisons += 2
      if child + 1 < end && key(child + 1) > key(child) { child += 1 }
      guard key(child) > key(index) else { return }
      swap(index, child)
      index = child
    }
  }

  /// Moves suffixes that are less than a pivot to the front, greater ones to the end; returns where those equal to it are.
  private func partition(_ start: Int, to end: Int) -> Range<Int> {
    let pivot = pivot(start, to: end)
    var less = start
    var index = start
    var greater = end
    while index < greater {
      let key = key(index)
      if key < pivot {
        swap(index, less)
        less += 1
        index += 1
      } else if key > pivot {
        greater -= 1
        swap(index, greater)
      } else {
        index += 1
      }
    }
    return less..<greater
  }

  /// The middle of three keys, or of three such middles.
  private func pivot(_ start: Int, to end: Int) -> Int32 {
    let size = end - start
    let middle = start + size / 2
    guard size > 40 else { return median(key(start), key(middle), key(end - 1)) }
    let part = size / 8
    return median(
      median(key(start), key(start + part), key(start + 2 * part)),
      median(key(middle - part), key(middle), key(middle + part)),
      median(key(end - 1 - 2 * part), key(end - 1 - part), key(end - 1)))
  }

  private func median(_ a: Int32, _ b: Int32, _ c: Int32) -> Int32 { max(min(a, b), min(max(a, b), c)) }

  /// The sort key of the suffix at an index; one that ends precedes one that continues.
  private func key(_ index: Int) -> Int32 {
    let number = Int(suffixes[index]) + distance
    return number < count ? ranks[number] : Int32(count - number - 1)
  }

  private func swap(_ a: Int, _ b: Int) { (suffixes[a], suffixes[b]) = (suffixes[b], suffixes[a]) }

  /// How many bytes suffixes are first sorted by; a multiple of each step.
  private static var keySize: Int { 4 }
}
