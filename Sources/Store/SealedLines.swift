internal import Crypto
package import Platform

/// Reads a file of `SealedWriter` line by line, in constant memory.
///
/// The digest is at the end, so all lines are read once before the first one is trusted.
package struct SealedLines: ~Copyable {
  private var lines: LineReader
  /// Bytes of the whole lines that were read.
  package private(set) var position: UInt64

  /// What may follow the last line.
  package enum Tail: Equatable {
    case nothing
    /// Lines that were added later, and are sealed in another way.
    case more
  }

  /// Throws `badManifest` if the file is missing, or not as it was written.
  ///
  /// - `format`: the first line.
  /// - `limit`: bytes of a line at most.
  package init(
    of name: String, in directory: borrowing Directory, format: String, limit: Int, tail: Tail = .nothing
  ) throws(Failure) {
    let first = try SealedLines.open(name, in: directory)
    try SealedLines.check(LineReader(first, limit: limit), format: format, tail: tail)
    var lines = LineReader(try SealedLines.open(name, in: directory), limit: limit)
    let head = try lines.next()
    position = UInt64((head?.bytes.count ?? 0) + 1)
    self.lines = lines
  }

  private static func open(_ name: String, in directory: borrowing Directory) throws(Failure) -> File {
    do throws(Failure) {
      let file = try directory.open(name)
      _ = try file.size()  // a directory can be opened, and not be read
      return file
    } catch {
      throw error.errno?.isOfAbsence == true
        ? .badManifest(path: "\(directory.path)/\(name)", line: 0) : error
    }
  }

  package var path: String { lines.path }
  /// The number of the line that was read last, counted from 1.
  package var number: Int { lines.number }

  /// The words of the next line; the last one is `end` and the digest.
  package mutating func next() throws(Failure) -> [String] {
    guard let words = try nextOfTail() else { throw damaged }
    return words
  }

  /// The words of the next line of the tail; nil after the last one that is whole.
  package mutating func nextOfTail() throws(Failure) -> [String]? {
    let line: LineReader.Line?
    do throws(Failure) { line = try lines.next() } catch {
      throw error.errno == .input ? damaged : error
    }
    guard let line, line.isWhole else { return nil }
    position += UInt64(line.bytes.count + 1)
    return line.text.parts(separatedBy: " ", limit: StoreLimits.words)
  }

  /// The file is not what it should be at the line that was read last.
  package var damaged: Failure { .badManifest(path: path, line: number) }

  /// Compares the last line with the digest of all lines before.
  private static func check(
    _ reader: consuming LineReader, format: String, tail: Tail
  ) throws(Failure) {
    var lines = reader
    do throws(HasherError) {
      var hasher = try Hasher()
      while let line = readable(&lines), line.isWhole {
        if lines.number == 1 && line.text != format { break }
        if line.bytes.starts(with: "end ".utf8) {
          guard line.text == "end \(try hasher.finish().hex)", tail == .more || readable(&lines) == nil else {
            break
          }
          return
        }
        let bytes = line.bytes + [10]
        try hasher.update(bytes.span.bytes)
      }
    } catch { throw .noMemory }
    throw .badManifest(path: lines.path, line: lines.number)
  }

  /// A line that cannot be read ends the check as one that is missing does.
  private static func readable(_ lines: inout LineReader) -> LineReader.Line? {
    do throws(Failure) { return try lines.next() } catch { return nil }
  }
}
