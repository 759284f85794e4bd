/// Why bytes are not JSON that metadata may consist of.
package enum JSONError: Error, Equatable {
  /// Not JSON (RFC 8259), not UTF-8, two members of the same name, a number beyond 64 bits, or something after the
  /// end: the offset in bytes, and what is wrong there.
  case syntax(offset: Int, String)
  /// Canonical JSON has no fractions.
  case fraction
  /// More levels than `JSONLimits.depth`.
  case tooDeep
  /// Parsed, it would take more than `JSONLimits.document`.
  case outOfMemory

  package var sentence: String {
    switch self {
    case .syntax(let offset, let words): "it is not JSON (\(words), near byte \(offset))"
    case .fraction: "it has a number that is not whole"
    case .tooDeep: "it has more than \(JSONLimits.depth) levels"
    case .outOfMemory:
      "it takes more than the \(JSONLimits.document >> 10) KiB that a file may take in memory"
    }
  }
}
