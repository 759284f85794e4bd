internal import CCrypto
internal import Crypto

extension PEMBlock {
  /// Lines of 64 characters, each with its end.
  static func text(_ label: String, of contents: [UInt8]) throws(KeyError) -> String {
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
}
