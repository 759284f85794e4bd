internal import Crypto

/// A page as a file with `{{slots}}` for what differs.
struct PageTemplate {
  private let text: [UInt8]

  init(_ text: [UInt8]) { self.text = text }

  /// The page with what the slots hold; one that is not named stays as it is.
  ///
  /// What is put into a slot is not searched for slots.
  func filled(with slots: [String: Markup]) -> [UInt8] {
    var page: [UInt8] = []
    var rest = text[...]
    while let start = PageTemplate.first(UInt8(ascii: "{"), in: rest) {
      page += rest[..<start]
      rest = rest[start...]
      guard let end = PageTemplate.first(UInt8(ascii: "}"), in: rest),
        let slot = slots[String(decoding: rest[(start + 2)..<end], as: UTF8.self)]
      else {
        page += rest.prefix(2)
        rest = rest.dropFirst(2)
        continue
      }
      page += Array(slot.source.utf8)
      rest = rest[(end + 2)...]
    }
    return page + rest
  }

  /// Where a byte is that has the same byte after it.
  private static func first(_ byte: UInt8, in text: ArraySlice<UInt8>) -> Int? {
    text.indices.dropLast().first { text[$0] == byte && text[$0 + 1] == byte }
  }
}

/// A source of Content Security Policy Level 3: what has this digest is allowed, wherever it stands.
enum PolicySource {
  /// Such as `'sha256-…'`, for the text of a `<script>` or `<style>`.
  static func digest(of text: [UInt8]) throws(ReportError) -> String {
    do throws(HasherError) {
      let digest = try Hasher.digest(of: text.span.bytes)
      return "'sha256-\(base64((0..<Digest.size).map { digest.bytes[$0] }))'"
    } catch { throw .hashing }
  }

  /// RFC 4648, section 4.
  static func base64(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
      for position in 0..<4 {
        let isPadding = position > group.count
        text.append(isPadding ? UInt8(ascii: "=") : alphabet[Int(bits >> (18 - 6 * UInt32(position)) & 63)])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
