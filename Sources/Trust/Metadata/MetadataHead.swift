internal import JSONReading
internal import Platform

/// What every kind of metadata begins with (TUF 1.0, section 4.3).
package struct MetadataHead: Equatable {
  package let version: UInt64
  /// Seconds since 1970; from then on the file is expired.
  package let expires: Int64
  /// When it was signed, in seconds since 1970, if the publisher says so.
  ///
  /// Not of the specification: our own publisher adds the member `issued`, from which a device without a
  /// clock learns that it cannot be earlier.
  package let issued: Int64?

  init(_ signed: JSONValue, type: String) throws(MetadataFlaw) {
    guard try Name(signed.text("_type")) == Name(type) else { throw .wrongType(expected: type) }
    guard try MetadataHead.isSupported(signed.text("spec_version")) else { throw .value("spec_version") }
    version = try signed.number("version", from: 1)
    guard let expires = try Clock.seconds(ofTimestamp: signed.text("expires")) else {
      throw .value("expires")
    }
    self.expires = expires
    issued = signed.member("issued")?.text.flatMap { Clock.seconds(ofTimestamp: $0) }
  }

  func isExpired(at now: Int64) -> Bool { now >= expires }

  /// Any minor version of 1: they only add.
  private static func isSupported(_ version: String) -> Bool {
    let parts = version.parts(separatedBy: ".", limit: 4)
    guard (2...3).contains(parts.count), parts.allSatisfy({ UInt32(ascii: $0.utf8) != nil }) else {
      return false
    }
    return UInt32(ascii: parts[0].utf8) == 1
  }
}
