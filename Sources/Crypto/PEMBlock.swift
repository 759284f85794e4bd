internal import CCrypto

/// One block of PEM (RFC 7468), with nothing but white space around it.
struct PEMBlock {
  /// As after BEGIN, such as "PUBLIC KEY".
  let label: String
  /// RFC 1421 lines before the contents; old encrypted keys have them.
  let hasHeader: Bool
  let contents: [UInt8]

  /// Bytes of a text; an RSA key of 8192 bits takes some 7 KiB with its private part.
  static var maximumText: Int { 16 << 10 }

  init(_ text: String) throws(KeyError) {
    guard text.utf8.count <= PEMBlock.maximumText else { throw .badKey }
    let text = Array(text.utf8.drop(while: PEMBlock.isSpace))
    let start = Array("-----BEGIN ".utf8)
    guard text.starts(with: start) else { throw .badKey }
    self = try text.span.bytes.withUnsafeBytes { (bytes) throws(KeyError) in
      guard let source = BIO_new_mem_buf(bytes.baseAddress, CInt(clamping: bytes.count)) else {
        throw .refused
      }
      defer { BIO_free(source) }
      let block = try PEMBlock(reading: source)
      guard text.suffix(Int(clamping: BIO_ctrl_pending(source))).allSatisfy(PEMBlock.isSpace) else {
        throw .badKey
      }
      return block
    }
  }

  private init(reading source: OpaquePointer) throws(KeyError) {
    var label: UnsafeMutablePointer<CChar>?
    var header: UnsafeMutablePointer<CChar>?
    var data: UnsafeMutablePointer<UInt8>?
    var count = 0
    guard PEM_read_bio(source, &label, &header, &data, &count) == 1 else { throw .badKey }
    defer {
      tu_crypto_free(label)
      tu_crypto_free(header)
      tu_crypto_free(data)
    }
    guard let label, let header, let data else { throw .badKey }
    self.label = String(cString: label)
    hasHeader = header.pointee != 0
    contents = Array(UnsafeBufferPointer(start: data, count: count))
  }

  /// Lines of 64 characters, each with its end.
  static func text(_ label: String, _ contents: [UInt8]) throws(KeyError) -> String {
    guard let sink = BIO_new(BIO_s_mem()) else { throw .refused }
    defer { BIO_free(sink) }
    let written = contents.span.withUnsafeBufferPointer {
      PEM_write_bio(sink, label, "", $0.baseAddress, $0.count)
    }
    var text = [UInt8](repeating: 0, count: Int(clamping: BIO_ctrl_pending(sink)))
    var span = text.mutableSpan
    let read = span.withUnsafeMutableBufferPointer {
      BIO_read(sink, $0.baseAddress, CInt(clamping: $0.count))
    }
    guard written > 0, read == text.count else { throw .refused }
    return String(decoding: text, as: UTF8.self)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
  }
}
