internal import Platform

/// Writes a tar archive of plain files (POSIX.1-2001, ustar).
struct TarWriter: ~Copyable {
  private let file: File
  private let time: Int64
  private(set) var size: UInt64 = 0

  private static var block: Int { 512 }

  /// - `file`: new, and open to write.
  /// - `time`: of everything in it, in seconds since 1970.
  init(_ file: consuming File, at time: Int64) {
    self.time = time
    self.file = file
  }

  /// Appends a file.
  ///
  /// - `name`: at most 100 bytes.
  mutating func append(_ name: String, _ content: [UInt8]) throws(Failure) {
    try write(TarWriter.header(name, size: content.count, time: time))
    try write(content)
    let rest = content.count % TarWriter.block
    if rest > 0 { try write([UInt8](repeating: 0, count: TarWriter.block - rest)) }
  }

  /// Writes the end, and returns when everything is durable.
  consuming func finish() throws(Failure) -> UInt64 {
    try write([UInt8](repeating: 0, count: 2 * TarWriter.block))
    let size = size
    try file.synchronize()
    try file.close()
    return size
  }

  private mutating func write(_ bytes: [UInt8]) throws(Failure) {
    try file.write(bytes.span.bytes)
    size += UInt64(bytes.count)
  }

  /// The block before the bytes of a file: numbers are octal, and end with a zero byte.
  static func header(_ name: String, size: Int, time: Int64) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: block)
    func put(_ text: some Sequence<UInt8>, at offset: Int) {
      var index = offset
      for byte in text {
        header[index] = byte
        index += 1
      }
    }
    func octal(_ number: Int64, digits: Int) -> [UInt8] {
      let text = Array(String(max(number, 0), radix: 8).utf8.suffix(digits))
      return [UInt8](repeating: UInt8(ascii: "0"), count: digits - text.count) + text
    }
    put(name.utf8.prefix(100), at: 0)
    put("0000600".utf8, at: 100)
    put("0000000".utf8, at: 108)
    put("0000000".utf8, at: 116)
    put(octal(Int64(size), digits: 11), at: 124)
    put(octal(time, digits: 11), at: 136)
    // The sum counts its own place as spaces.
    put("        0".utf8, at: 148)
    put("ustar".utf8, at: 257)
    put("00".utf8, at: 263)
    let sum = header.reduce(0) { $0 + Int64($1) }
    put(octal(sum, digits: 6) + [0], at: 148)
    return header
  }
}
