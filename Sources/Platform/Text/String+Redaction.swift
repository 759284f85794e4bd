/// Texts that go to others.
extension String {
  /// The same without what may be secret in the URLs that it has: a user with a password, and what follows a question
  /// mark.
  package var withoutURLSecrets: String {
    let bytes = Array(utf8)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      guard bytes[index...].starts(with: "://".utf8) else {
        text.append(bytes[index])
        index += 1
        continue
      }
      let start = index + 3
      let end = bytes[start...].firstIndex(where: isEndOfURL) ?? bytes.count
      text += "://".utf8
      text += String.withoutSecrets(bytes[start..<end])
      index = end
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Of a URL, what follows its scheme.
  private static func withoutSecrets(_ url: ArraySlice<UInt8>) -> [UInt8] {
    let path = url.firstIndex {
      $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#")
    }
    let host = url[..<(path ?? url.endIndex)]
    let user = host.lastIndex(of: UInt8(ascii: "@"))
    let rest = user.map { url[($0 + 1)...] } ?? url
    guard let query = rest.firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) else {
      return Array(rest)
    }
    return Array(rest[..<query]) + Array("?…".utf8)
  }
}

/// A byte that ends a URL in a message.
private func isEndOfURL(_ byte: UInt8) -> Bool {
  switch byte {
  case 0...0x20, UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: ">"), 0x7f: true
  default: false
  }
}
