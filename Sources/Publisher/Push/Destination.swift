internal import Platform

/// Where rclone copies to: a path, `REMOTE:PATH`, or a connection string with options such as
/// `:s3,provider=AWS,env_auth=true:BUCKET/PATH`.
///
/// Options may be passwords and keys, which must not come back in messages, answers and logs.
package struct Destination: Equatable, Sendable {
  /// The argument of rclone.
  let text: String
  /// The same without what may be secret.
  package let shown: String
  private let secrets: [String]

  package init(_ text: String) {
    self.text = text
    var parser = Parser(text)
    parser.parse()
    (shown, secrets) = (parser.shown, parser.secrets)
  }

  /// Removes the secrets from the output of rclone.
  func redacting(_ words: String) -> String {
    var words = words.replacing(text, with: shown)
    // The longest first, since one may be a part of another.
    for secret in secrets.sorted(by: { $0.utf8.count > $1.utf8.count }) {
      words = words.replacing(secret, with: Destination.mask)
    }
    return words
  }

  private static let mask = "***"

  /// Options whose values nobody has to keep to himself.
  private static let open: Set<String> = [
    "provider", "region", "endpoint", "location_constraint", "env_auth", "profile", "acl", "storage_class",
    "server_side_encryption", "project_number", "host", "port", "user", "vendor", "type", "key_file",
    "shell_type",
    "no_check_bucket", "force_path_style", "v2_auth", "chunk_size", "upload_cutoff", "explicit_tls", "tls",
  ]

  /// Reads a connection string as rclone does (rclone.org/docs, "Connection strings").
  private struct Parser {
    private var rest: Substring
    private(set) var shown = ""
    private(set) var secrets: [String] = []

    init(_ text: String) { rest = text[...] }

    mutating func parse() {
      if rest.first == ":" { take(1) }
      take(rest.prefix { $0 != "," && $0 != ":" && $0 != "/" }.count)
      while rest.first == "," {
        take(1)
        let name = rest.prefix { $0 != "=" && $0 != "," && $0 != ":" }
        take(name.count)
        guard rest.first == "=" else { continue }
        take(1)
        let value = value()
        let isOpen = Destination.open.contains(String(name)) && !value.contains("@")
        shown += isOpen || value.isEmpty ? value : Destination.mask
        // A word of a letter or two is everywhere.
        if !isOpen { secrets += [value, Parser.unquoted(value)].filter { $0.count > 3 } }
        rest = rest.dropFirst(value.count)
      }
      take(rest.count)
    }

    private mutating func take(_ count: Int) {
      shown += rest.prefix(count)
      rest = rest.dropFirst(count)
    }

    /// The next value; in quotes, which are doubled within, it may hold commas and colons.
    private func value() -> String {
      guard let quote = rest.first, quote == "\"" || quote == "'" else {
        return String(rest.prefix { $0 != "," && $0 != ":" })
      }
      var isInside = true
      return String(
        rest.prefix(1)
          + rest.dropFirst().prefix { character in
            if character == quote { isInside.toggle() }
            return isInside || character == quote || character != "," && character != ":"
          })
    }

    private static func unquoted(_ value: String) -> String {
      guard let quote = value.first, quote == "\"" || quote == "'", value.count > 1 else { return value }
      return String(value.dropFirst().dropLast()).replacing("\(quote)\(quote)", with: "\(quote)")
    }
  }
}
