internal import PatchFormat

/// Chooses copies from an old content that a device holds only a window of (`ContentWindow`).
enum WindowedCopies {
  /// The copies that a device can make, in the order of the new content; all of them if it holds the whole old one.
  ///
  /// The window only moves forward, so a short copy from far ahead, which would take the bytes before from the next copies,
  /// is left out.
  ///
  /// - `size`: of the old content.
  static func reachable(
    _ copies: [Copy], in size: Int, window: Int = DeflateLimits.window
  ) -> [Copy] {
    guard size > window else { return copies }
    let kept = Int(ContentWindow.kept(of: UInt64(window)))
    var end = window  // of what is inflated
    var reachable: [Copy] = []
    for copy in copies {
      let floor = end > window ? end - kept : 0
      let next = max(end, copy.old + copy.length)
      let isJump = next - copy.length - end > kept / 2
      guard copy.old >= floor, !isJump || copy.length >= longJump else { continue }
      reachable.append(copy)
      end = next
    }
    return reachable
  }

  /// The bytes of a copy that is worth a jump of more than half a window.
  private static var longJump: Int { 4096 }
}
