internal import PatchFormat

/// Chooses copies from an old content that a device holds only a window of (`ContentWindow`).
enum WindowedCopies {
  /// The copies that a device can make, in the order of the new content; all of them if it holds the whole old one.
  ///
  /// The window only moves forward: a copy from far ahead takes from later ones what lies before, and is left out if they
  /// have more bytes.
  ///
  /// - `size`: of the old content.
  static func reachable(
    _ copies: [Copy], in size: Int, window: Int = DeflateLimits.window
  ) -> [Copy] {
    guard size > window else { return copies }
    let kept = Int(ContentWindow.kept(of: UInt64(window)))
    /// Where copies may begin if content is inflated up to `end`.
    func floor(_ end: Int) -> Int { end > window ? end - kept : 0 }
    var end = window  // of what is inflated
    var reachable: [Copy] = []
    for (index, copy) in copies.enumerated() where copy.old >= floor(end) {
      let next = max(end, copy.old + copy.length)
      let lost = floor(end)..<floor(next)
      // What a small step loses is at the far end of the window.
      if lost.count >= window - kept {
        var bytes = 0
        for later in copies[(index + 1)...].prefix(Tuning.WindowedCopies.furthest)
        where lost.contains(later.old) {
          bytes += later.length
          if bytes > copy.length { break }
        }
        if bytes > copy.length { continue }
      }
      reachable.append(copy)
      end = next
    }
    return reachable
  }
}
