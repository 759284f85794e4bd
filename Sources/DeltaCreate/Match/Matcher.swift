/// Finds ranges of the new file that resemble ranges of the old one.
///
/// The algorithm of bsdiff (C. Percival, "Naive differences of executable code", 2003): an exact match is taken if it is
/// longer than what the current alignment matches anyway, and is then extended in both directions as long as at least
/// half of the bytes are equal.
struct Matcher<Index: MatchIndex & ~Copyable>: ~Copyable {
  private let index: Index
  private let old: UnsafeBufferPointer<UInt8>
  private let new: UnsafeBufferPointer<UInt8>
  private let oldBase: UnsafePointer<UInt8>
  private let newBase: UnsafePointer<UInt8>

  /// Finds matches with an index of the old file.
  ///
  /// Neither file may be empty; both have to outlive the matcher.
  init(
    _ index: consuming Index, old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>
  ) throws(DeltaCreateError) {
    guard let oldBase = old.baseAddress, let newBase = new.baseAddress else { throw .fileTooLarge }
    self.index = index
    self.old = old
    self.new = new
    self.oldBase = oldBase
    self.newBase = newBase
  }

  /// The copies that each matching finds, in the order of the new file; those of one do not overlap there.
  ///
  /// A long file is searched in windows, each by one of the processors.
  func copies(_ matchings: [PatchMaker.Matching], processors: Processors) -> [[Copy]] {
    let starts = stride(from: 0, to: new.count, by: Index.window)
    let found = processors.map(Array(starts)) { start in
      copies(matchings, in: start..<min(new.count - start, Index.window) + start)
    }
    return processors.map(Array(matchings.indices)) { number in
      CopyPruning(old: old, new: new).pruned(found.flatMap { $0[number] })
    }
  }

  /// What each matching finds in a window of the new file.
  ///
  /// All advance together, because they look for matches at many of the same offsets.
  private func copies(_ matchings: [PatchMaker.Matching], in window: Range<Int>) -> [[Copy]] {
    let cache = MatchCache(window.count)
    var walks = matchings.map { Walk($0, in: window) }
    for start in stride(from: window.lowerBound, to: window.upperBound, by: cache.size) {
      for index in walks.indices {
        advance(&walks[index], to: min(window.upperBound - start, cache.size) + start, cache: cache)
      }
    }
    for index in walks.indices { finish(&walks[index]) }
    return walks.map(\.copies)
  }

  /// How far a matching has come.
  private struct Walk {
    let matching: PatchMaker.Matching
    /// Where its window ends.
    let end: Int
    var copies: [Copy] = []
    /// Where the copy begins that is being extended; the first one is a guess, because beginnings resemble each other.
    var begin: Copy
    var scan: Int

    init(_ matching: PatchMaker.Matching, in window: Range<Int>) {
      self.matching = matching
      end = window.upperBound
      begin = Copy(new: window.lowerBound, old: window.lowerBound, length: 0)
      scan = window.lowerBound
    }
  }

  /// Finds copies as long as the next match begins before `end`, at least.
  private func advance(_ walk: inout Walk, to end: Int, cache: MatchCache) {
    while walk.scan < end {
      let found = nextMatch(
        from: walk.scan, to: walk.end, shift: walk.begin.old - walk.begin.new, gain: walk.matching.gain,
        cache: cache)
      walk.scan = found.scan
      guard let match = found.match else { return }
      let next = Copy(new: found.scan, old: match.old, length: match.length)
      let ends = boundaries(walk.begin, match: next, equal: walk.matching.equal)
      append(&walk, length: ends.forward)
      walk.begin = Copy(new: next.new - ends.backward, old: next.old - ends.backward, length: 0)
      walk.scan += match.length
    }
  }

  private func finish(_ walk: inout Walk) {
    append(&walk, length: extendForward(walk.begin, to: walk.end, equal: walk.matching.equal))
  }

  private func append(_ walk: inout Walk, length: Int) {
    guard length > 0 else { return }
    walk.copies.append(Copy(new: walk.begin.new, old: walk.begin.old, length: length))
  }

  /// Advances until an exact match is clearly longer than what the current alignment matches there.
  ///
  /// `shift` leads from an offset in the new file to the one in the old file, as the current copy has it. Returned
  /// is the match and where it begins; without a match, the end of the window.
  private func nextMatch(
    from start: Int, to end: Int, shift: Int, gain: Int, cache: MatchCache
  ) -> (scan: Int, match: Match?) {
    var scan = start
    var aligned = 0  // equal bytes of the current alignment in scan..<counted
    var counted = start
    while scan < end {
      let run = alignedRun(at: scan, to: end, shift: shift)
      if run >= 2 * Tuning.Matcher.context {
        // Within a long exact run of the alignment no other is better before the run's end.
        let skipped = run - Tuning.Matcher.context
        if counted < scan + skipped {
          counted = scan + skipped
          aligned = 0
        } else {
          aligned -= skipped
        }
        scan += skipped
      }
      let match = cache.match(at: scan) { index.longestMatch(of: newBase + scan, count: end - scan) }
      while counted < scan + match.length {
        if isAligned(counted, shift: shift) { aligned += 1 }
        counted += 1
      }
      if match.length > 0 {
        let longer = fromItsBeginning(match, at: scan, notBefore: start, shift: shift)
        if longer.match.length > aligned + longer.aligned + gain {
          return (scan - (longer.match.length - match.length), longer.match)
        }
      }
      if match.length == aligned && match.length > 0 {
        scan += match.length
        counted = scan
        aligned = 0
      } else {
        if counted > scan { aligned -= isAligned(scan, shift: shift) ? 1 : 0 }
        scan += 1
        counted = max(counted, scan)
      }
    }
    return (end, nil)
  }

  /// The match with the equal bytes before it that the index does not hold, and how many of them the current alignment
  /// matches, too.
  private func fromItsBeginning(
    _ match: Match, at scan: Int, notBefore start: Int, shift: Int
  ) -> (match: Match, aligned: Int) {
    var back = 0
    var aligned = 0
    let limit = min(index.step - 1, scan - start, match.old)
    while back < limit && oldBase[match.old - back - 1] == newBase[scan - back - 1] {
      back += 1
      if isAligned(scan - back, shift: shift) { aligned += 1 }
    }
    return (Match(old: match.old - back, length: match.length + back), aligned)
  }

  /// Where the copy before a match should end and the match begin.
  private func boundaries(_ begin: Copy, match: Copy, equal: Int) -> (forward: Int, backward: Int) {
    var forward = extendForward(begin, to: match.new, equal: equal)
    var backward = extendBackward(match, downTo: begin.new, equal: equal)
    let overlap = begin.new + forward - (match.new - backward)
    guard overlap > 0 else { return (forward, backward) }
    // Cut where the most bytes of both together are equal.
    var score = 0
    var bestScore = 0
    var best = 0
    for index in 0..<overlap {
      let byte = new[match.new - backward + index]
      if byte == old[begin.old + forward - overlap + index] { score += 1 }
      if byte == old[match.old - backward + index] { score -= 1 }
      if score > bestScore {
        bestScore = score
        best = index + 1
      }
    }
    forward += best - overlap
    backward -= best
    return (forward, backward)
  }

  /// How far a copy can be extended from its beginning.
  private func extendForward(_ begin: Copy, to end: Int, equal: Int) -> Int {
    let limit = min(end - begin.new, old.count - begin.old)
    var score = 0
    var bestScore = 0
    var best = 0
    var index = 0
    while index < limit {
      // It is enough to look at the ends of runs of equal bytes.
      let run = equalBytes(
        oldBase + begin.old + index, newBase + begin.new + index, atMost: limit - index)
      if run > 0 {
        score += run * equal
        index += run
        if score > bestScore {
          bestScore = score
          best = index
        }
      }
      while index < limit && oldBase[begin.old + index] != newBase[begin.new + index] {
        score -= 1
        index += 1
      }
    }
    return best
  }

  /// How far a match can begin earlier.
  private func extendBackward(_ match: Copy, downTo start: Int, equal: Int) -> Int {
    let limit = min(match.new - start, match.old)
    var score = 0
    var bestScore = 0
    var best = 0
    var index = 0
    while index < limit {
      index += 1
      score += oldBase[match.old - index] == newBase[match.new - index] ? equal : -1
      if score > bestScore {
        bestScore = score
        best = index
      }
    }
    return best
  }

  private func isAligned(_ index: Int, shift: Int) -> Bool {
    let offset = index + shift
    return offset >= 0 && offset < old.count && oldBase[offset] == newBase[index]
  }

  /// The exact run of the current alignment at `index`, up to `end`.
  private func alignedRun(at index: Int, to end: Int, shift: Int) -> Int {
    let offset = index + shift
    guard offset >= 0, offset < old.count else { return 0 }
    return equalBytes(oldBase + offset, newBase + index, atMost: min(old.count - offset, end - index))
  }
}
