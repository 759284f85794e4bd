internal import Archive
internal import Platform

/// A repository, or a part of one, that is at hand: what `--from` names in place of a server
/// (`docs/format/bundle.md`).
enum Bundle {
  case directory(DirectoryBundle)
  /// A tar archive that can be read from any place.
  case archive(ArchiveBundle)
  /// A tar archive that comes through a pipe: everything in it is there once, in its order.
  case stream(StreamBundle)

  /// Opens what is at `path`; `-` is standard input.
  ///
  /// The headers of an archive are read to its end, so that a cut one is refused before anything changes.
  static func open(_ path: String, shouldStop: @escaping () -> Bool) throws(Failure) -> Bundle {
    if path.utf8.elementsEqual("-".utf8) {
      return try open(try File(standardInput: "standard input"), shouldStop: shouldStop)
    }
    do throws(Failure) { return .directory(DirectoryBundle(try Directory(opening: path))) } catch {
      guard error.errno == .notADirectory else { throw error }
    }
    return try open(try File(openingInput: path), shouldStop: shouldStop)
  }

  private static func open(
    _ file: consuming File, shouldStop: @escaping () -> Bool
  ) throws(Failure) -> Bundle {
    var reader = try ArchiveReader(file, shouldStop: shouldStop)
    guard reader.isSeekable else { return .stream(try StreamBundle(reader)) }
    let index = try ArchiveIndex(&reader, shouldStop: shouldStop)
    return .archive(ArchiveBundle(reader, index: index))
  }

  var path: String {
    switch self {
    case .directory(let bundle): bundle.path
    case .archive(let bundle): bundle.path
    case .stream(let bundle): bundle.path
    }
  }

  /// A file of it, for messages.
  func shown(_ name: String) -> String { "\(path)/\(name)" }

  /// The file is there; of a stream, it is the next one of its kind.
  func has(_ name: String) throws(Failure) -> Bool {
    switch self {
    case .directory(let bundle): try bundle.has(name)
    case .archive(let bundle): try bundle.has(name)
    case .stream(let bundle): try bundle.has(name)
    }
  }

  /// Reads the file with `read` next, from its beginning; its size in bytes, or nil if it is not there.
  func open(_ name: String) throws(Failure) -> UInt64? {
    switch self {
    case .directory(let bundle): try bundle.open(name)
    case .archive(let bundle): try bundle.open(name)
    case .stream(let bundle): try bundle.open(name)
    }
  }

  /// Fills the front of `buffer` with the next bytes of the open file; 0 at its end.
  func read(into buffer: inout MutableRawSpan) throws(Failure) -> Int {
    switch self {
    case .directory(let bundle): try bundle.read(into: &buffer)
    case .archive(let bundle): try bundle.read(into: &buffer)
    case .stream(let bundle): try bundle.read(into: &buffer)
    }
  }
}
