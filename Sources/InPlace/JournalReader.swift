internal import Crypto
package import MapModel
package import Platform
internal import Store

/// Reads what an update in place is to do, entry by entry, and then how far it has come.
package struct JournalReader: ~Copyable {
  private var lines: SealedLines
  /// The words of the line that is read and not used yet; none after the sealed lines.
  private var words: [String] = []
  /// The release that the update leads to.
  package let target: CatalogedRelease
  /// The parts of its catalog that list what was installed.
  package let parts: [CatalogReference]

  /// Throws `badManifest` if it is not as it was written.
  package init(_ folder: borrowing Directory) throws(Failure) {
    var lines = try SealedLines(
      of: Journal.fileName, in: folder, format: Journal.format, limit: InPlaceLimits.journalLine, tail: .more)
    guard let target = CatalogedRelease(try lines.next()) else { throw lines.damaged }
    var parts: [CatalogReference] = []
    var words = try lines.next()
    while let part = CatalogReference("part", words) {
      parts.append(part)
      words = try lines.next()
    }
    self.lines = lines
    self.words = words
    self.target = target
    self.parts = parts
  }

  /// The next entry; nil after the last.
  package mutating func next() throws(Failure) -> JournalEntry? {
    guard words.first != "end", !words.isEmpty else {
      words = []
      return nil
    }
    guard var entry = JournalEntry(words) else { throw lines.damaged }
    repeat { words = try lines.next() } while entry.take(words)
    return entry
  }

  /// How far the update has come, by the lines that were added after the entries.
  ///
  /// A last line that is torn counts as never written.
  ///
  /// - Returns: how many lines count, and the bytes up to the end of the last of them.
  mutating func readProgress() throws(Failure) -> (progress: Progress, lines: Int, end: UInt64) {
    while try next() != nil {}
    var (progress, number, end) = (Progress(), 0, lines.position)
    while let words = try lines.nextOfTail() {
      guard let step = try JournalReader.step(words, number: number + 1), progress.take(step) else {
        // Each line was durable before the next was written, so only the last one can be torn.
        guard try lines.nextOfTail() == nil else { throw lines.damaged }
        break
      }
      (number, end) = (number + 1, lines.position)
    }
    return (progress, number, end)
  }

  private static func step(_ words: [String], number: Int) throws(Failure) -> Progress.Step? {
    let text = Array(words.dropLast())
    guard try words.last == Journal.check(of: text.joined(by: " "), number: number) else { return nil }
    return Progress.Step(text)
  }
}

/// What the reader and the writers of a journal have in common.
enum Journal {
  static var fileName: String { "journal" }
  static var format: String { "tinyupdater-in-place 1" }

  /// The last word of a line that is added: the first half of the digest of its number and the words before.
  static func check(of text: String, number: Int) throws(Failure) -> String {
    let digest = try Digest(of: Array("\(number) \(text)".utf8))
    return String(decoding: Array(digest.hex.utf8.prefix(32)), as: UTF8.self)
  }
}

extension CatalogedRelease {
  fileprivate init?(_ words: [String]) {
    guard words.count == 5, words[0] == "target", let number = UInt64(ascii: words[1].utf8),
      let digest = Digest(hex: words[3]), let size = UInt64(ascii: words[4].utf8)
    else { return nil }
    self.init(
      Release(number: number, label: words[2]), catalog: CatalogReference(digest: digest, size: size))
  }
}
