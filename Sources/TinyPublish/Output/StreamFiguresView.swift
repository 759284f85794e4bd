internal import DeltaCreate
internal import Platform

extension StreamFigures {
  /// Such as "60 found (9.23 MB): 57 rebuilt from the old file (8.13 MB), 3 not rebuilt (1.10 MB)".
  var text: String {
    let parts: [(name: String, tally: Tally)] = [
      ("copied", self[.copied]), ("rebuilt from the old file", self[.rebuiltFromOld]),
      ("rebuilt without the old file", self[.rebuiltWithoutOld]),
      ("rebuilt with a guide", self[.rebuiltWithGuide]),
      ("not rebuilt", self[Outcome.reasons]), ("not worth rebuilding", self[.notSmaller]),
    ]
    let named = parts.filter { $0.tally.count > 0 }.map { "\($0.tally.count) \($0.name) (\($0.tally.size))" }
    guard !named.isEmpty else { return "none found" }
    return "\(found.count) found (\(found.size)): \(named.joined(separator: ", "))"
  }

  /// How many streams were not rebuilt for that reason, and what would help; nil if there are none.
  func sentence(_ reason: Outcome) -> String? {
    let tally = self[reason]
    guard tally.count > 0 else { return nil }
    let isOne = tally.count == 1
    let cause: String
    switch reason {
    case .copied, .rebuiltFromOld, .rebuiltWithoutOld, .rebuiltWithGuide, .notSmaller: return nil
    case .contentTooLarge:
      cause =
        (isOne ? "its content is" : "their contents are")
        + " larger than \(ByteCount(UInt64(DeflateLimits.maximumContent)).text), or than a 64th of --memory; "
        + "contents in smaller parts make smaller patches."
    case .otherEncoder:
      cause =
        "zlib does not seem to have made \(isOne ? "it" : "them"); "
        + "maps whose tiles are compressed by zlib make much smaller patches."
    case .tooManyExtents:
      cause =
        "\(isOne ? "it is" : "they are") scattered over too many parts of the file; "
        + "databases with larger pages make smaller patches."
    }
    let streams =
      isOne ? "1 deflate stream (\(tally.size)) was" : "\(tally.count) deflate streams (\(tally.size)) were"
    return "\(streams) not rebuilt: \(cause)"
  }
}

extension StreamFigures.Tally {
  fileprivate var size: String { ByteCount(UInt64(bytes)).text }
}
