internal import CPlatform

/// The variables that the calling process hands over.
package enum Environment {
  /// A variable's text; nil if it is not set, or set to nothing.
  package static func value(_ name: String) -> String? {
    let value = name.withPlatformString { String(platformString: getenv($0)) }
    return value.isEmpty ? nil : value
  }

  /// Where files are made that end with this process: `TMPDIR`, or else `/tmp`.
  package static var temporaryDirectory: String { value("TMPDIR") ?? "/tmp" }
}
