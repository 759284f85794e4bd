package import Platform

/// When the repository was last reached: the file `contact` (`docs/format/store.md`, Contact).
///
/// That is a check whose signed metadata came and are trusted, even if nothing is new. The file needs no lock: of two
/// processes that write at the same moment, either is right.
package struct RepositoryContact: Equatable {
  /// Seconds since 1970, by the time that decides about signatures.
  package let time: Int64
  /// When the last run failed before it, by the history; 0: none had.
  ///
  /// It names that run: a clock that begins in 1970 says nothing of what came first.
  package let failure: Int64

  private static var fileName: String { "contact" }
  private static var format: String { "tinyupdater-contact 1" }
  /// Seconds after which a contact is written again if no run has failed meanwhile: flash wears.
  static var step: Int64 { 3600 }

  package init(_ time: Int64, after failure: Int64) {
    self.time = time
    self.failure = failure
  }

  /// The contact that is noted in the store at `root`; nil if there is none, or if it cannot be read.
  package init?(in root: String) {
    do throws(Failure) {
      let lines = try SealedText.read(
        RepositoryContact.fileName, in: Store.openRoot(root), format: RepositoryContact.format,
        limit: StoreLimits.contactFile)
      guard let words = lines?.first, words.count == 3, words[0] == "contact",
        let time = Int64(ascii: words[1].utf8), let failure = Int64(ascii: words[2].utf8)
      else { return nil }
      self.init(time, after: failure)
    } catch { return nil }
  }

  /// Notes it in a store that exists, unless what is there says as much.
  package func note(in root: String) throws(Failure) {
    if let noted = RepositoryContact(in: root), noted.failure == failure,
      (noted.time..<noted.time.saturatingSum(RepositoryContact.step)).contains(time)
    {
      return
    }
    let text = try SealedText.seal("\(RepositoryContact.format)\ncontact \(time) \(failure)\n")
    try Store.openRoot(root).replace(RepositoryContact.fileName, with: text)
  }
}
