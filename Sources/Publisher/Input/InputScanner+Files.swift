internal import Platform

/// Reading directories that may change meanwhile.
extension InputScanner {
  static func names(in directory: borrowing Directory) throws(PublisherError) -> [String] {
    var names: [String] = []
    try onFile { () throws(Failure) in
      try directory.forEachName { (name) throws(Failure) in names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The kind and size of a directory entry.
  static func status(
    of name: String, in directory: borrowing Directory
  ) throws(PublisherError) -> (kind: Directory.Kind, size: UInt64) {
    let path = "\(directory.path)/\(name)"
    let status = try onFile { () throws(Failure) in try directory.status(of: name) }
    if let status { return (status.kind, status.size) }
    // Bytes that are not UTF-8 were replaced when the name was read, so no file has this name.
    throw name.unicodeScalars.contains("\u{fffd}")
      ? .input(.nameNotUTF8(path: path)) : .input(.disappeared(path: path))
  }

  /// Opens a file that was listed a moment ago.
  static func reading<Result: ~Copyable>(
    _ path: String, _ body: () throws(Failure) -> Result
  ) throws(PublisherError) -> Result {
    do throws(Failure) { return try body() } catch {
      throw error.errno == .noEntry ? .input(.disappeared(path: path)) : .file(error)
    }
  }

  /// The first bytes of a file, fewer if it has no more.
  static func front(
    of name: String, count: Int, in directory: borrowing Directory
  ) throws(PublisherError) -> [UInt8] {
    try reading("\(directory.path)/\(name)") { () throws(Failure) in
      try directory.open(name).bytes(upTo: UInt64(count))
    }
  }
}
