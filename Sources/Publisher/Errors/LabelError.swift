internal import Platform

/// What is wrong with the label of a release.
package enum LabelError: Error, Equatable {
  case invalid(String)
  /// It holds a control character; its code point.
  case controlCharacter(codePoint: String)
  case inUse(String, number: UInt64)
  case unknown(String, path: String)
  case recalled(String, path: String)
  /// The maps of the release would be out of use before they are in use; in seconds since 1970.
  case expiresFirst(String, expires: Int64, effective: Int64)
  /// The reason of a recall is empty, longer than `limit` bytes, or not one line.
  case unusableReason(limit: Int)

  /// What happened, and what to do next.
  package var sentence: String {
    switch self {
    case .invalid(let label):
      """
      "\(label)" is not a valid label: 1 to 64 bytes without spaces or slashes, not beginning with a dot. Choose another \
      label.
      """
    case .controlCharacter(let codePoint):
      "The label holds the invisible character \(codePoint). Choose another label."
    case .inUse(let label, let number):
      "The label \(label) is already used by release \(number). Choose another one."
    case .unknown(let label, let path):
      "\(path) has no release with the label \(label). \"tinypublish status \(path)\" lists its releases."
    case .recalled(let label, let path):
      """
      Release \(label) is recalled, and no device takes it. "tinypublish release \(path) --again \(label) --label LABEL" \
      publishes its maps in a new release.
      """
    case .expiresFirst(let label, let expires, let effective):
      """
      Release \(label) would expire at \(Clock.timestamp(expires)), and is in effect from \(Clock.timestamp(effective)) on. \
      Give a later --expires, or an earlier --effective.
      """
    case .unusableReason(let limit):
      "The reason is shown on devices: give a line of at most \(limit) bytes."
    }
  }
}
