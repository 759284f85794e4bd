internal import Platform

/// What came over the network on one day: the file `downloads` (`docs/format/store.md`, Downloads).
///
/// It needs no lock: two processes that write at the same moment can lose one note.
package struct DownloadRecord: Equatable {
  /// A date, `2024-06-30`.
  package let day: String
  package var bytes: UInt64

  static var fileName: String { "downloads" }
  private static var format: String { "tinyupdater-downloads 1" }

  /// What is noted for `day` in the store at `root`; zero bytes if nothing is, or if it cannot be read.
  package init(of day: String, in root: String) {
    self.day = day
    bytes = 0
    do throws(StoreError) {
      let lines = try SealedText.read(
        DownloadRecord.fileName, in: Store.openRoot(root), format: DownloadRecord.format,
        limit: StoreLimits.downloadRecord)
      guard let words = lines?.first, words.count == 3, words[0] == "day", words[1] == day,
        let bytes = UInt64(ascii: words[2].utf8)
      else { return }
      self.bytes = bytes
    } catch {}
  }

  /// Writes it in place of what was noted before, in a store that exists.
  package func write(in root: String) throws(StoreError) {
    let text = try SealedText.seal("\(DownloadRecord.format)\nday \(day) \(bytes)\n")
    let directory = try Store.openRoot(root)
    try storing { () throws(FileError) in try directory.replace(DownloadRecord.fileName, with: text) }
  }
}
