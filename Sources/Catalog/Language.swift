internal import Platform

/// The language that a user wants names in.
package struct Language: Equatable {
  /// What names are looked for under, the closest first, in small letters: `de-at`, `de`.
  ///
  /// Empty for English, which is what a name without a language is in.
  private let tags: [String]

  package static var english: Language { Language(tags: []) }

  private init(tags: [String]) { self.tags = tags }

  /// A language tag such as `de-AT`, or the name of a locale such as `de_AT.UTF-8@euro`; nil if it is neither.
  ///
  /// `C` and `POSIX` are English.
  package init?(_ text: String) {
    guard !text.isEmpty, text.utf8.count <= CatalogLimits.language else { return nil }
    let locale = text.parts(separatedBy: "@", limit: 2)[0].parts(separatedBy: ".", limit: 2)[0]
    var tag: [UInt8] = []
    for byte in locale.utf8 {
      guard let small = Language.folded(byte) else { return nil }
      tag.append(small)
    }
    guard let first = tag.first, first != UInt8(ascii: "-") else { return nil }
    var tags: [String] = []
    while true {
      tags.append(String(decoding: tag, as: UTF8.self))
      guard let cut = tag.lastIndex(of: UInt8(ascii: "-")) else { break }
      tag.removeSubrange(cut...)
    }
    let words: [String] = ["c", "posix", "en"]
    self.init(tags: words.contains { $0.utf8.elementsEqual(tag) } ? [] : tags)
  }

  /// What is asked for, else what the environment says, else English.
  ///
  /// - Parameter option: what the command line says; nil if it says nothing.
  /// - Returns: nil if the option is not a language; what the environment holds is never refused.
  package static func wanted(_ option: String?) -> Language? {
    if let option { return Language(option) }
    let variables: [String] = ["LC_ALL", "LC_MESSAGES", "LANG"]
    for variable in variables {
      if let value = Environment.value(variable) { return Language(value) ?? .english }
    }
    return .english
  }

  /// The name in this language, else in English, else the first there is; nil if there is none.
  package func name(of names: [LocalizedName]) -> String? {
    for tag in tags {
      if let found = names.first(where: { Language.isSame($0.language, tag) }) { return found.text }
    }
    let english = names.first { $0.language.isEmpty || Language.isSame($0.language, "en") }
    return (english ?? names.first)?.text
  }

  /// `language`, as a publisher wrote it, is the tag.
  private static func isSame(_ language: String, _ tag: String) -> Bool {
    guard language.utf8.count == tag.utf8.count else { return false }
    for (a, b) in zip(language.utf8, tag.utf8) where folded(a) != b { return false }
    return true
  }

  /// A byte of a tag in small letters, `_` as `-`; nil if none has it.
  private static func folded(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
    case UInt8(ascii: "-"), UInt8(ascii: "_"): UInt8(ascii: "-")
    default: nil
    }
  }
}
