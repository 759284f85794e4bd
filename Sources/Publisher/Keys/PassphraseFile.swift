internal import Platform

/// A file whose first line is the passphrase of the keys.
package struct PassphraseFile {
  private let path: String

  package init(_ path: String) { self.path = path }

  /// The line, without the line feed, or carriage return and line feed, that ends it.
  ///
  /// Like a key, the file must be readable by its owner only. A symbolic link is followed, because secrets are mounted as links.
  package func passphrase() throws(PublisherError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: PublisherLimits.passphraseLine)
    defer { bytes.wipe() }
    let count = try onFile { () throws(Failure) in
      let file = try File(opening: path)
      return try file.isPrivate() ? try PassphraseFile.read(file, into: &bytes) : nil
    }
    guard let count else { throw .keys(.passphraseReadableByOthers(path: path)) }
    var line = bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return Array(line)
  }

  /// Reads until a line feed, the end of the file, or until the buffer is full.
  private static func read(_ file: borrowing File, into bytes: inout [UInt8]) throws(Failure) -> Int {
    var count = 0
    while count < bytes.count {
      var span = bytes.mutableSpan
      var space = span.mutableBytes
      var rest = space.extracting(count...)
      let read = try file.read(into: &rest)
      count += read
      if read == 0 || bytes[..<count].contains(UInt8(ascii: "\n")) { break }
    }
    return count
  }
}
