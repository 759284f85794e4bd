internal import PatchFormat

/// The bytes between which operations are searched for.
///
/// Two whole files, a window of the new one and the part of the old one that it resembles, or what is left of a new file
/// without its streams: the stages Match, Doubles and Choose are the same for all of them.
struct SearchRange {
  let old: UnsafeBufferPointer<UInt8>
  let new: UnsafeBufferPointer<UInt8>
  /// What is searched of the old file.
  let part: Range<Int>
  /// Copies that blocks have found, from all of the old file.
  let known: [Copy]
  /// Whether doubles are searched for; only copies of the old file can make a residual.
  let hasDoubles: Bool

  /// - `part`: nil: all of the old file.
  init(
    old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, part: Range<Int>? = nil,
    known: [Copy] = [], hasDoubles: Bool = true
  ) {
    self.old = old
    self.new = new
    self.part = part ?? 0..<old.count
    self.known = known
    self.hasDoubles = hasDoubles
  }

  /// The copy that makes the new file if it equals the old one.
  var wholeCopy: Copy? {
    guard let copy = sameOffsets, let oldBase = old.baseAddress, let newBase = new.baseAddress,
      equalBytes(oldBase, newBase, atMost: copy.length) == copy.length
    else { return nil }
    return copy
  }

  /// The copy from the same offsets of the old file if both files have the same size.
  var sameOffsets: Copy? {
    new.isEmpty || old.count != new.count ? nil : Copy(new: 0, old: 0, length: new.count)
  }

  /// The script that makes the new file with these operations.
  func script(_ operations: [ScriptOperation]) -> PatchScript {
    PatchScript(old: old, output: .file(new), operations: operations)
  }

  /// The stage Match: what each matching finds in the old file, then what blocks have found.
  ///
  /// The index is freed when this returns.
  func copies(_ options: PatchMaker.Options) throws(DeltaCreateError) -> [[Copy]] {
    options.observe(PatchProgress(.matching))
    let part = UnsafeBufferPointer(rebasing: old[part])
    let found = try CopyFinder.bySuffixes(
      old: part, new: new, options.matchings, processors: options.processors)
    return found.map { $0.map { $0.moved(old: self.part.lowerBound) } } + (known.isEmpty ? [] : [known])
  }

  /// What the first matching finds in two databases without their references.
  ///
  /// - `copies`: what it finds with them; nothing is searched for if few of the bytes that differ are references.
  func rows(unlike copies: [Copy], _ options: PatchMaker.Options) throws(DeltaCreateError) -> [[Copy]] {
    let rows = options.processors.map([old, new]) { SQLiteDatabase($0)?.withoutReferences() }
    guard let oldRows = rows[0], let newRows = rows[1] else { return [] }
    return try oldRows.withUnsafeBufferPointer { (oldRows) throws(DeltaCreateError) in
      try newRows.withUnsafeBufferPointer { (newRows) throws(DeltaCreateError) in
        let different = options.processors.map([(old, new), (oldRows, newRows)]) { old, new in
          SearchRange.different(copies, old: old, new: new)
        }
        guard different[0] - different[1] > different[0] / Tuning.SearchRange.fewReferences else { return [] }
        return try CopyFinder.bySuffixes(
          old: oldRows, new: newRows, [options.matchings[0]], processors: options.processors)
      }
    }
  }

  /// How many bytes of the new file copies do not make.
  func different(_ copies: [Copy]) -> Int { SearchRange.different(copies, old: old, new: new) }

  private static func different(
    _ copies: [Copy], old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>
  ) -> Int {
    guard let oldBase = old.baseAddress, let newBase = new.baseAddress else { return new.count }
    var count = new.count
    for copy in copies {
      var index = 0
      while index < copy.length {
        let equal = equalBytes(
          oldBase + copy.old + index, newBase + copy.new + index, atMost: copy.length - index)
        count -= equal
        index += equal + 1
      }
    }
    return count
  }
}
