internal import Platform

/// Takes out of texts what only this device and its servers are to know.
///
/// It rather takes too much: a sentence with such a word loses its end.
enum SecretFilter {
  /// What stands in the place of a secret.
  private static var mark: String { "(removed)" }
  /// A value that follows one of these words, with `=`, `:` or a blank between, is a secret; in lower case.
  private static var words: [String] {
    [
      "password", "passwd", "passphrase", "secret", "token", "bearer", "basic", "authorization", "cookie",
      "header",
    ]
  }

  /// The text without secrets, line by line.
  static func filter(_ text: String) -> String {
    text.parts(separatedBy: "\n").map { withoutValues($0.withoutURLSecrets) }.joined(by: "\n")
  }

  /// A line in which no value follows a word for a secret: it ends with the line, or with a text in quotation marks.
  private static func withoutValues(_ line: String) -> String {
    let bytes = Array(line.utf8)
    var filtered: [UInt8] = []
    var index = 0
    while index < bytes.count {
      guard let value = secret(in: bytes, at: index) else {
        filtered.append(bytes[index])
        index += 1
        continue
      }
      filtered += bytes[index..<value] + Array(mark.utf8)
      index =
        bytes[value...].firstIndex { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") } ?? bytes.count
    }
    return String(decoding: filtered, as: UTF8.self)
  }

  /// Where the value begins that follows a word for a secret at `index`; nil if there is none.
  ///
  /// The setting `authorization` has the path of a file, which is no secret.
  private static func secret(in bytes: [UInt8], at index: Int) -> Int? {
    let first = bytes[index] | 0x20
    for word in words where word.utf8.first == first {
      let end = index + word.utf8.count
      guard end < bytes.count, bytes[index..<end].map({ $0 | 0x20 }).elementsEqual(word.utf8) else {
        continue
      }
      let value = bytes[end...].firstIndex { !isBetween($0) } ?? bytes.count
      guard value > end, value < bytes.count else { continue }
      return bytes[value] == UInt8(ascii: "/") && word.utf8.elementsEqual("authorization".utf8) ? nil : value
    }
    return nil
  }

  private static func isBetween(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x20, UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: "\""), UInt8(ascii: "\\"): true
    default: false
    }
  }
}
