internal import Crypto
internal import PatchFormat
internal import Platform

// The lines that are added to a journal (`docs/format/store.md`, In place).

extension Progress.Step {
  /// Without the check at its end.
  func text() throws(HasherError) -> String {
    switch self {
    case .begun(let beginning): return "begun \(beginning.base) \(beginning.remainder) \(beginning.count)"
    case .taken: return "taken"
    case .making(let making):
      let words = "making \(making.method.word) \(making.step)"
      guard let checkpoint = making.checkpoint else { return words }
      return "\(words) \(Hex.text(try checkpoint.encoded()))"
    case .made: return "made"
    case .lost: return "lost"
    }
  }

  init?(_ words: [String]) {
    switch (words.first ?? "", words.count) {
    case ("begun", 4):
      guard let base = UInt64(ascii: words[1].utf8), let remainder = UInt64(ascii: words[2].utf8),
        let count = Int(ascii: words[3].utf8)
      else { return nil }
      self = .begun(Progress.Beginning(base: base, remainder: remainder, count: count))
    case ("taken", 1): self = .taken
    case ("making", 3...4):
      guard let method = Progress.Method(word: words[1]), let step = Int(ascii: words[2].utf8) else {
        return nil
      }
      let checkpoint = words.count == 4 ? Checkpoint(hex: words[3]) : nil
      guard (checkpoint == nil) == (words.count == 3) else { return nil }
      self = .making(Progress.Making(method, step: step, checkpoint: checkpoint))
    case ("made", 1): self = .made
    case ("lost", 1): self = .lost
    default: return nil
    }
  }
}

extension Checkpoint {
  fileprivate init?(hex text: String) {
    guard let bytes = Hex.bytes(text) else { return nil }
    self.init(parsing: bytes.span.bytes)
  }
}

extension Progress.Method {
  fileprivate var word: String {
    switch self {
    case .beside: "beside"
    case .consuming: "consuming"
    }
  }

  fileprivate init?(word: String) {
    switch word {
    case "beside": self = .beside
    case "consuming": self = .consuming
    default: return nil
    }
  }
}
