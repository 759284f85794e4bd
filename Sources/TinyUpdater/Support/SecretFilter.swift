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
      "password", "passwd", "passphrase", "pwd", "secret", "token", "credential", "credentials", "bearer",
      "basic", "authorization", "cookie", "header", "-key", "_key", "apikey", "--user", "-u",
    ]
  }

  /// The text without secrets, line by line.
  static func filter(_ text: String) -> String {
    text.parts(separatedBy: "\n").map { withoutValues($0.withoutURLSecrets) }.joined(by: "\n")
  }

  /// A line in which no value follows a word for a secret: it ends with the line, or with a text in quotation marks.
  private static func withoutValues(_ line: String) -> String {
    let (bytes, lowered) = (Array(line.utf8), Array(line.lowercasedASCII.utf8))
    var filtered: [UInt8] = []
    var index = 0
    while index < bytes.count {
      guard let value = secret(in: lowered, at: index) else {
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

  /// The settings of a configuration without secrets: of a command only the program is left.
  static func filter(settings text: String) -> String {
    text.parts(separatedBy: "\n").map { line in
      let words = line.parts(separatedBy: "=")
      guard words.count > 1, words[0].trimmed.utf8.suffix(8).elementsEqual("_command".utf8) else {
        return filter(line)
      }
      let value = Array(words[1...]).joined(by: "=").parts(separatedBy: " ").filter { !$0.isEmpty }
      return "\(words[0])= \(value.first ?? "")\(value.count > 1 ? " \(mark)" : "")"
    }.joined(by: "\n")
  }

  /// Where the value begins that follows a word for a secret at `index`, in lower case; nil if there is none.
  ///
  /// Some settings have the path of a file, which is no secret.
  private static func secret(in bytes: [UInt8], at index: Int) -> Int? {
    for word in words where word.utf8.first == bytes[index] {
      let end = index + word.utf8.count
      guard end < bytes.count, bytes[index..<end].elementsEqual(word.utf8) else { continue }
      let value = bytes[end...].firstIndex { !isBetween($0) } ?? bytes.count
      guard value > end, value < bytes.count else { continue }
      let mayBePath = ["authorization", "_key"].contains { word.utf8.elementsEqual($0.utf8) }
      return bytes[value] == UInt8(ascii: "/") && mayBePath ? nil : value
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
