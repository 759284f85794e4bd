/// Sorts the suffixes of a text that begin at multiples of a step.
///
/// By their first two bytes in one pass, then by the next ones, eight at a time (J. Bentley, R. Sedgewick, "Fast algorithms
/// for sorting and searching strings", SODA 1997), up to a depth; what is equal that far, by the algorithm of N. J. Larsson
/// and K. Sadakane ("Faster suffix sorting", Theoretical Computer Science 387, 2007): by the ranks found so far, by twice as
/// many bytes each time, so zeros and repeated text take hardly longer than other data. Two integers for each suffix are all
/// the memory, but for texts that defeat pivots.
struct SuffixSorter: ~Copyable {
  private let count: Int
  /// Suffixes in groups that are not distinguished yet; a run of suffixes in their final positions begins with minus its
  /// length.
  let suffixes: UnsafeMutablePointer<Int32>
  /// For each suffix the index of the last one of its group.
  private let ranks: UnsafeMutablePointer<Int32>
  /// How many suffixes were compared with a pivot or with each other.
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
    let count = (text.count + step - 1) / step
    self.count = count
    suffixes = .allocate(capacity: count)
    ranks = .allocate(capacity: count)
    let groups = SuffixGroups(suffixes: suffixes, ranks: ranks)
    let keys = ByteKeys(text: UnsafeRawBufferPointer(text), step: step)
    for bucket in SuffixSorter.sortByTwoBytes(keys, count: count, into: suffixes) {
      comparisons += groups.sort(bucket, by: keys)
    }
    var distance = ByteKeys.deepest / step
    while isUnsorted {
      sortGroups(groups, by: RankKeys(ranks: ranks, count: count, distance: distance))
      distance *= 2
    }
    for number in 0..<count { suffixes[Int(ranks[number])] = Int32(number) }
  }

  deinit { ranks.deallocate() }

  /// Sorts all suffixes by their first two bytes, in one pass; returns where those with the same ones are.
  private static func sortByTwoBytes(
    _ keys: ByteKeys, count: Int, into suffixes: UnsafeMutablePointer<Int32>
  ) -> [Range<Int>] {
    // How many begin with which two bytes, then where the next one of them belongs.
    var places = [Int32](repeating: 0, count: 1 << 16)
    for number in 0..<count { places[keys.firstTwo(number)] += 1 }
    var buckets: [Range<Int>] = []
    var end = 0
    for two in places.indices where places[two] > 0 {
      let start = end
      end += Int(places[two])
      places[two] = Int32(start)
      buckets.append(start..<end)
    }
    for number in 0..<count {
      let two = keys.firstTwo(number)
      suffixes[Int(places[two])] = Int32(number)
      places[two] += 1
    }
    return buckets
  }

  private var isUnsorted: Bool { count > 0 && suffixes[0] != -Int32(count) }

  /// Sorts each group by ranks, and joins neighbouring runs of what is sorted.
  private mutating func sortGroups(_ groups: SuffixGroups, by keys: RankKeys) {
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
      comparisons += groups.sort(index..<end, by: keys)
      index = end
    }
    if sorted > 0 { suffixes[count - sorted] = -Int32(sorted) }
  }
}

/// What suffixes that are equal so far are sorted by.
private protocol SuffixKeys {
  /// The key of the suffix with that number.
  func key(_ number: Int) -> Int64
  /// What those with equal keys are sorted by at once; nil if they stay a group.
  var next: Self? { get }
}

/// Eight bytes of each suffix.
private struct ByteKeys: SuffixKeys {
  let text: UnsafeRawBufferPointer
  let step: Int
  /// How many bytes before them are equal.
  var depth = 0

  /// As a number that sorts like the bytes; padded with zeros.
  func key(_ number: Int) -> Int64 { Int64(bitPattern: bytes(number * step + depth) ^ 1 << 63) }

  func firstTwo(_ number: Int) -> Int { Int(bytes(number * step) >> 48) }

  @inline(__always)
  private func bytes(_ offset: Int) -> UInt64 {
    offset + 8 <= text.count
      ? text.loadUnaligned(fromByteOffset: offset, as: UInt64.self).bigEndian : lastBytes(offset)
  }

  /// Of a suffix with less than eight bytes.
  @inline(never)
  private func lastBytes(_ offset: Int) -> UInt64 {
    var bytes: UInt64 = 0
    for index in offset..<offset + 8 { bytes = bytes << 8 | (index < text.count ? UInt64(text[index]) : 0) }
    return bytes
  }

  var next: ByteKeys? {
    depth + 8 < ByteKeys.deepest ? ByteKeys(text: text, step: step, depth: depth + 8) : nil
  }

  /// How many bytes are compared as such; a multiple of each step.
  static var deepest: Int { 64 }
}

/// The ranks of the suffixes some numbers ahead.
private struct RankKeys: SuffixKeys {
  let ranks: UnsafeMutablePointer<Int32>
  let count: Int
  let distance: Int

  /// A suffix that ends precedes one that continues.
  func key(_ number: Int) -> Int64 {
    let ahead = number + distance
    return ahead < count ? Int64(ranks[ahead]) : Int64(count - ahead - 1)
  }

  var next: RankKeys? { nil }
}

/// Groups of suffixes that are equal so far.
private struct SuffixGroups {
  let suffixes: UnsafeMutablePointer<Int32>
  let ranks: UnsafeMutablePointer<Int32>

  /// Sorts a group, and gives each group of equal ones its rank; returns how many were compared.
  func sort<Keys: SuffixKeys>(_ group: Range<Int>, by keys: Keys) -> Int {
    // Good pivots halve a group. More partitions than this mean bad luck, or a text that was built to defeat them.
    sort(group, by: keys, partitions: 2 * (Int.bitWidth - group.count.leadingZeroBitCount) + 8)
  }

  /// Sorts by partitioning, and by merging what is left after `partitions` nested partitions.
  ///
  /// The smaller ones come first: their ranks may be keys of the others, and only ever go down.
  private func sort<Keys: SuffixKeys>(_ group: Range<Int>, by keys: Keys, partitions: Int) -> Int {
    var (start, partitions) = (group.lowerBound, partitions)
    var comparisons = 0
    while start < group.upperBound {
      if group.upperBound - start <= Tuning.SuffixGroups.few {
        return comparisons + insertionSort(start..<group.upperBound, by: keys)
      }
      guard partitions > 0 else { return comparisons + mergeSort(start..<group.upperBound, by: keys) }
      partitions -= 1
      comparisons += group.upperBound - start
      let middle = partition(start, to: group.upperBound, by: keys)
      comparisons += sort(start..<middle.lowerBound, by: keys, partitions: partitions)
      comparisons += finish(middle, by: keys)
      start = middle.upperBound
    }
    return comparisons
  }

  /// Continues with those whose keys are equal.
  private func finish<Keys: SuffixKeys>(_ group: Range<Int>, by keys: Keys) -> Int {
    if group.count > 1, let next = keys.next { return sort(group, by: next) }
    rank(group)
    return 0
  }

  /// Gives suffixes that are equal so far their rank.
  private func rank(_ group: Range<Int>) {
    for index in group { ranks[Int(suffixes[index])] = Int32(group.upperBound - 1) }
    if group.count == 1 { suffixes[group.lowerBound] = -1 }
  }

  /// Sorts at most `few` suffixes: their keys fit into the processor's cache, and are read once.
  private func insertionSort<Keys: SuffixKeys>(_ group: Range<Int>, by keys: Keys) -> Int {
    let (start, count) = (group.lowerBound, group.count)
    guard count > 1 else {
      rank(group)
      return 0
    }
    var sorted = [12 of Int64](repeating: 0)
    var comparisons = 0
    for index in 0..<count {
      let number = suffixes[start + index]
      let key = keys.key(Int(number))
      var place = index
      while place > 0 && sorted[place - 1] > key {
        sorted[place] = sorted[place - 1]
        suffixes[start + place] = suffixes[start + place - 1]
        place -= 1
      }
      sorted[place] = key
      suffixes[start + place] = number
      comparisons += index - place + 1
    }
    // No rank may change before the keys of all were compared.
    var first = 0
    for index in 0..<count where index + 1 == count || sorted[index + 1] != sorted[index] {
      comparisons += finish(start + first..<start + index + 1, by: keys)
      first = index + 1
    }
    return comparisons
  }

  /// Sorts in a time that does not depend on the text, with room for half of the group.
  private func mergeSort<Keys: SuffixKeys>(_ group: Range<Int>, by keys: Keys) -> Int {
    var comparisons = 0
    var sorted = UnsafeMutableBufferPointer(start: suffixes + group.lowerBound, count: group.count)
    sorted.sort {
      comparisons += 1
      return keys.key(Int($0)) < keys.key(Int($1))
    }
    // No rank may change before the keys of all were compared.
    var groups: [Range<Int>] = []
    var first = group.lowerBound
    for index in group where index + 1 == group.upperBound || key(index + 1, keys) != key(index, keys) {
      groups.append(first..<index + 1)
      first = index + 1
    }
    return groups.reduce(comparisons) { $0 + finish($1, by: keys) }
  }

  /// Moves suffixes that are less than a pivot to the front, greater ones to the end; returns where those equal to it are.
  private func partition<Keys: SuffixKeys>(_ start: Int, to end: Int, by keys: Keys) -> Range<Int> {
    let pivot = pivot(start, to: end, by: keys)
    var less = start
    var index = start
    var greater = end
    while index < greater {
      let key = key(index, keys)
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
  private func pivot<Keys: SuffixKeys>(_ start: Int, to end: Int, by keys: Keys) -> Int64 {
    let size = end - start
    let middle = start + size / 2
    guard size > 40 else { return median(key(start, keys), key(middle, keys), key(end - 1, keys)) }
    let part = size / 8
    return median(
      median(key(start, keys), key(start + part, keys), key(start + 2 * part, keys)),
      median(key(middle - part, keys), key(middle, keys), key(middle + part, keys)),
      median(key(end - 1 - 2 * part, keys), key(end - 1 - part, keys), key(end - 1, keys)))
  }

  private func median(_ a: Int64, _ b: Int64, _ c: Int64) -> Int64 { max(min(a, b), min(max(a, b), c)) }

  private func key<Keys: SuffixKeys>(_ index: Int, _ keys: Keys) -> Int64 { keys.key(Int(suffixes[index])) }

  private func swap(_ a: Int, _ b: Int) { (suffixes[a], suffixes[b]) = (suffixes[b], suffixes[a]) }
}
