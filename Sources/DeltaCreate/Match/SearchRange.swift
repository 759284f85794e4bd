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
    guard !new.isEmpty, old.count == new.count, let oldBase = old.baseAddress, let newBase = new.baseAddress,
      equalBytes(oldBase, newBase, atMost: new.count) == new.count
    else { return nil }
    return Copy(new: 0, old: 0, length: new.count)
  }

  /// The script that makes the new file with these operations.
  func script(_ operations: [ScriptOperation]) -> PatchScript {
    PatchScript(old: old, output: .file(new), operations: operations)
  }

  /// Whether at most that many bytes of what operations copy from the old file differ there.
  func hasDifferences(_ copies: [ScriptOperation], atMost most: Int) -> Bool {
    guard let old = old.baseAddress, let new = new.baseAddress else { return true }
    var count = 0
    for copy in copies {
      var index = 0
      while index < copy.length {
        index += equalBytes(old + copy.source + index, new + copy.new + index, atMost: copy.length - index)
        if index < copy.length { count += 1 }
        if count > most { return false }
        index += 1
      }
    }
    return true
  }

  /// The stage Match: what each matching finds in the old file, then what blocks have found.
  ///
  /// The index is freed when this returns.
  func copies(_ options: PatchMaker.Options) throws(DeltaCreateError) -> [[Copy]] {
    options.observe(PatchProgress(.matching))
    let part = UnsafeBufferPointer(rebasing: old[part])
    if known.isEmpty, Noise.isNoise(new), Noise.sharesNothing(old: part, new: new) {
      return options.matchings.map { _ in [] }
    }
    let finder = try CopyFinder(old: part, new: new, processors: options.processors)
    let found = finder.copies(options.matchings, processors: options.processors)
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
        let (all, rows) = options.processors.both(
          { SearchRange.different(copies, old: old, new: new) },
          { SearchRange.different(copies, old: oldRows, new: newRows) })
        guard all - rows > all / Tuning.SearchRange.fewReferences else { return [] }
        let finder = try CopyFinder(old: oldRows, new: newRows, processors: options.processors)
        return finder.copies([options.matchings[0]], processors: options.processors)
      }
    }
  }

  /// How many bytes of the new file copies do not make.
  private static func different(
    _ copies: [Copy], old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>
  ) -> Int {
    var count = new.count
    for copy in copies {
      for index in 0..<copy.length where old[copy.old + index] == new[copy.new + index] { count -= 1 }
    }
    return count
  }
}
