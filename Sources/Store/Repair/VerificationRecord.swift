package import MapModel
internal import Platform

/// How far reading all components of a generation has come.
package struct VerificationRecord: Equatable {
  package let generation: UInt64
  /// When its first component was read, in seconds since 1970.
  package let begun: Int64
  /// When the last one was read so far.
  package var latest: Int64
  /// How many were read.
  package var components = 0
  /// The last one that was read; nil after the last of all.
  package var position: ComponentName?

  package init(of generation: UInt64, at time: Int64) {
    self.generation = generation
    begun = time
    latest = time
  }

  package var isComplete: Bool { position == nil }
}

// The file `verification` (`docs/format/store.md`, Verification).

extension VerificationRecord {
  static var fileName: String { "verification" }
  static var firstLine: String { "tinyupdater-verification 1" }

  var text: String {
    var text = "\(VerificationRecord.firstLine)\ngeneration \(generation)\ntime \(begun) \(latest)\n"
    text += "components \(components)\n"
    if let position { text += "position \(position.front)\(position.tail)\n" }
    return text
  }

  /// Nil if they are not those of a record.
  init?(lines: [[String]]) {
    guard lines.count == 3 || lines.count == 4, lines[0].count == 2, lines[0][0] == "generation",
      let generation = UInt64(ascii: lines[0][1].utf8), lines[1].count == 3, lines[1][0] == "time",
      let begun = Int64(ascii: lines[1][1].utf8), let latest = Int64(ascii: lines[1][2].utf8),
      lines[2].count == 2, lines[2][0] == "components", let components = Int(ascii: lines[2][1].utf8)
    else { return nil }
    self.init(of: generation, at: begun)
    self.latest = latest
    self.components = components
    guard lines.count == 4 else { return }
    let words = lines[3]
    guard words.count >= 3, words[0] == "position",
      let name = ComponentName(words[1], words[2], tail: words[3...])
    else { return nil }
    position = name
  }
}
