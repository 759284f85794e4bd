/// Small files, read and replaced as a whole.
extension Directory {
  /// Replaces `name` with `bytes`, or makes it: power loss leaves the old file or the new one.
  ///
  /// 1. The bytes are in `name.new`, and durable.
  /// 2. `name.new` is renamed over `name`.
  /// 3. The directory that has the name is synchronized: the rename itself survives power loss.
  ///
  /// A directory that has one of the two names is removed.
  ///
  /// - `new`: the name in the place of `name.new`.
  package func replace(
    _ name: String, with bytes: [UInt8], through new: String? = nil
  ) throws(Failure) {
    let new = new ?? name + ".new"
    do throws(Failure) {
      for name in [name, new] where try status(of: name)?.kind == .directory { try removeTree(name) }
      // A power cut on a file system without a journal can leave both names on one file, which must not be cut here.
      try remove(new)
      let file = try open(new, to: .replace)
      try file.write(bytes.span.bytes)
      try file.synchronize()
      try file.close()
      try rename(new, to: name)
      try synchronizeParent(of: name)
    } catch {
      // A full file system must not stay full because of half a file; the first error matters more.
      do throws(Failure) { try remove(new) } catch {}
      throw error
    }
  }

  /// Returns when the directory at `name`'s place is durable: this one, or one below it.
  private func synchronizeParent(of name: String) throws(Failure) {
    let folders = name.parts(separatedBy: "/").dropLast()
    guard !folders.isEmpty else {
      try synchronize()
      return
    }
    let parent = try openDirectory(Array(folders).joined(by: "/"))
    try parent.synchronize()
  }
}

extension File {
  /// The bytes from the current position to the end, `limit` of them at most.
  package func bytes(upTo limit: UInt64) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = Buffer(count: 16 << 10)
    while UInt64(bytes.count) < limit {
      let count = try File.fill(&buffer, from: self, upTo: limit - UInt64(bytes.count))
      if count == 0 { break }
      bytes.append(contentsOf: buffer.bytes.extracting(first: count))
    }
    return bytes
  }

  // The span ends here, so that the buffer can be read after the call.
  static func fill(
    _ buffer: inout Buffer, from file: borrowing File, upTo limit: UInt64 = .max
  ) throws(Failure) -> Int {
    var bytes = buffer.mutableBytes
    return try file.read(into: &bytes, upTo: limit)
  }
}

extension [UInt8] {
  /// Adds the bytes of a span at the end.
  package mutating func append(contentsOf span: RawSpan) {
    // Not reserved exactly: room has to double, or a long file is copied at every step.
    for index in 0..<span.byteCount { append(unsafe span.unsafeLoad(fromByteOffset: index, as: UInt8.self)) }
  }
}
