internal import Platform

/// The output of `rclone -v`, line by line, while it runs.
struct RcloneOutput {
  /// How many files it says that it has copied.
  private(set) var copied = 0
  private var offset: UInt64 = 0
  private var line: [UInt8] = []
  private var last = ""
  private var errors: [String] = []

  /// Lines of more bytes are cut.
  private static let longestLine = 1000

  /// Reads the new lines in the file that the program prints to.
  mutating func take(from file: borrowing File) throws(PublisherError) {
    var buffer = Buffer(count: 64 << 10)
    while true {
      let count = try onFile { () throws(Failure) in
        var space = buffer.mutableBytes
        return try file.read(into: &space, at: offset)
      }
      if count == 0 { return }
      offset += UInt64(count)
      var bytes: [UInt8] = []
      bytes.append(contentsOf: buffer.bytes.extracting(first: count))
      for byte in bytes {
        if byte == UInt8(ascii: "\n") {
          endLine()
        } else if line.count < RcloneOutput.longestLine {
          line.append(byte)
        }
      }
    }
  }

  private mutating func endLine() {
    let text = String(decoding: line, as: UTF8.self)
    line = []
    guard !text.isEmpty else { return }
    last = text
    if text.contains(": Copied (") { copied += 1 }
    let isError = ["ERROR", "CRITICAL", "Fatal", "Failed"].contains { text.hasPrefix($0) }
    if isError { errors = errors.suffix(1) + [text] }
  }

  /// The last two lines about errors, or the last line.
  var problem: String {
    (errors.isEmpty ? [last] : errors).map { $0.printable() }.joined(separator: "; ")
  }
}
