internal import CCrypto

/// One block of PEM (RFC 7468), with nothing but white space around it.
package struct PEMBlock {
  /// As after BEGIN, such as "PUBLIC KEY".
  package let label: String
  /// RFC 1421 lines before the contents; old encrypted keys have them.
  package let hasHeader: Bool
  package let contents: [UInt8]

  /// Bytes of a text; an RSA key of 8192 bits takes some 7 KiB with its private part.
  static var maximumText: Int { 16 << 10 }

  package init(_ text: String) throws(KeyError) {
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

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
  }
}
