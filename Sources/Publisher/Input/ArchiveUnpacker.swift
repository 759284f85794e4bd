internal import ArchiveUnpacking
internal import CPlatform
internal import Platform

/// Unpacks an archive of maps, in one pass, into a directory that is then read like any other.
///
/// What a directory would be refused for is left to its reader. What is refused here is what no directory can have,
/// and what would take more space than the maps.
struct ArchiveUnpacker: ~Copyable {
  private let path: String
  private let root: Directory
  private var archive: PackedArchive
  private let limits: Limits
  private let size: UInt64
  private var entries = 0
  private var unpacked: UInt64 = 0
  private var flaws = NameFlaws()

  /// The limits of an archive.
  struct Limits: Equatable {
    var entries = PublisherLimits.archiveEntries
    var bytes: UInt64

    /// For an archive of `size` bytes.
    init(size: UInt64) {
      let (many, overflow) = size.multipliedReportingOverflow(by: PublisherLimits.archiveRatio)
      bytes = overflow ? .max : max(many, PublisherLimits.archiveFloor)
    }
  }

  /// - `root`: an empty directory.
  init(_ path: String, into root: consuming Directory, limits: Limits? = nil) throws(PublisherError) {
    let file = try onOperand { () throws(OperandError) in try File(readingAnywhere: path) }
    file.readSequentially()
    let size = try onFile { () throws(Failure) in try file.size() }
    let limits = limits ?? Limits(size: size)
    let archive: PackedArchive
    do throws(UnpackingError) { archive = try PackedArchive(file, limit: limits.bytes) } catch {
      throw ArchiveUnpacker.error(error, path: path, limits: limits)
    }
    self.archive = archive
    self.path = path
    self.root = root
    self.size = size
    self.limits = limits
  }

  /// Unpacks everything; leaves the unpacked files if it throws.
  mutating func run(_ observe: (ReleaseEvent) -> Void = { _ in }) throws(PublisherError) {
    var buffer = Buffer(count: 1 << 20)
    while let entry = try next() {
      entries += 1
      guard entries <= limits.entries else { throw refusal(.tooManyEntries) }
      do throws(PublisherError) { try unpack(entry, through: &buffer) } catch { try flaws.note(error) }
      observe(.unpacked(path, done: min(archive.bytesRead, size), total: size))
    }
    try flaws.check()
  }

  private mutating func next() throws(PublisherError) -> PackedEntry? {
    do throws(UnpackingError) { return try archive.next() } catch {
      throw ArchiveUnpacker.error(error, path: path, limits: limits)
    }
  }

  private mutating func unpack(_ entry: PackedEntry, through buffer: inout Buffer) throws(PublisherError) {
    var parts = try parts(of: entry.name)
    guard entry.isUTF8 else { throw .input(.nameNotUTF8(path: "\(path)/\(entry.name)")) }
    // The directory itself.
    guard let name = parts.last else {
      guard entry.kind == .directory else { throw refusal(.name(entry: entry.name)) }
      return
    }
    // Nothing below a hidden name is looked at: a directory stands for all of it.
    if let hidden = parts.firstIndex(where: { $0.utf8.first == UInt8(ascii: ".") }) {
      parts.removeSubrange((hidden + 1)...)
      _ = try directory(parts[...], of: entry)
      return
    }
    if entry.kind == .directory {
      _ = try directory(parts[...], of: entry)
      return
    }
    let parent = try directory(parts.dropLast(), of: entry)
    switch entry.kind {
    case .file(let size):
      try checkSpace(size)
      let file = try making(entry) { () throws(Failure) in try parent.open(name, to: .make) }
      try write(entry, to: file, size: size, through: &buffer)
      do throws(Failure) { try file.close() } catch { throw .file(error) }
    case .hardLink(let target, let isEmpty):
      guard isEmpty, let origin = try file(target) else {
        throw refusal(.hardLink(entry: entry.name, target: target))
      }
      try making(entry) { () throws(Failure) in
        try origin.directory.link(origin.name, to: parent, as: name)
      }
    case .other:
      // It stands for whatever it is, and is passed over like that.
      try making(entry) { () throws(Failure) in try parent.makeSymbolicLink(name, to: "/dev/null") }
    case .directory: break
    }
  }

  /// The parts of a name, without empty ones and dots.
  private func parts(of name: String) throws(PublisherError) -> [String] {
    guard let parts = ArchiveUnpacker.parts(name) else { throw refusal(.name(entry: name)) }
    return parts
  }

  /// Nil for a name that leads elsewhere.
  private static func parts(_ name: String) -> [String]? {
    let parts = name.parts(separatedBy: "/").filter { !$0.isEmpty && $0 != "." }
    guard name.utf8.first != UInt8(ascii: "/"), !name.isEmpty,
      parts.allSatisfy({ $0 != ".." && $0.utf8.count <= PublisherLimits.archiveName })
    else { return nil }
    return parts
  }

  /// Opens a directory, and makes those on the way to it that are missing; none of them is followed elsewhere.
  private func directory(
    _ parts: ArraySlice<String>, of entry: PackedEntry
  ) throws(PublisherError) -> Directory {
    var directory = try onFile { () throws(Failure) in try root.openDirectory(".") }
    for (index, part) in parts.enumerated() {
      guard index < PublisherLimits.inputDepth else {
        throw .input(.tooDeep(path: "\(path)/\(parts[...index].joined(separator: "/"))"))
      }
      directory = try making(entry) { () throws(Failure) in
        try directory.makeDirectory(part)
        return try directory.openDirectory(part)
      }
    }
    return directory
  }

  /// Where a file is that was unpacked before; nil if there is none of that name.
  private func file(_ name: String) throws(PublisherError) -> Origin? {
    guard let parts = ArchiveUnpacker.parts(name), let last = parts.last else { return nil }
    var directory = try onFile { () throws(Failure) in try root.openDirectory(".") }
    for part in parts.dropLast() {
      guard try onFile({ () throws(Failure) in try directory.status(of: part) })?.kind == .directory else {
        return nil
      }
      directory = try onFile { () throws(Failure) in try directory.openDirectory(part) }
    }
    guard try directory.fileSize(of: last) != nil else { return nil }
    return Origin(directory: directory, name: last)
  }

  private struct Origin: ~Copyable {
    let directory: Directory
    let name: String
  }

  /// Refuses a file before it is written that is beyond the limit, or for which there is no room.
  private func checkSpace(_ size: UInt64) throws(PublisherError) {
    let total = unpacked.saturatingSum(size)
    guard total <= limits.bytes else { throw refusal(.tooLarge(limit: limits.bytes)) }
    let space = try onFile { () throws(Failure) in try root.space() }
    guard space.allocated(size) <= space.available else {
      throw .repository(
        .noSpace(
          path: root.path, needed: total, available: space.available.saturatingSum(unpacked)))
    }
  }

  private mutating func write(
    _ entry: PackedEntry, to file: borrowing File, size: UInt64, through buffer: inout Buffer
  ) throws(PublisherError) {
    var written: UInt64 = 0
    while true {
      let count = try fill(&buffer)
      if count == 0 { break }
      written += UInt64(count)
      guard written <= size else { break }
      let bytes = buffer.bytes.extracting(first: count)
      try onFile { () throws(Failure) in try file.write(bytes) }
    }
    guard written == size else {
      throw refusal(.damaged(cause: "the size of \(entry.name) differs from the one in the archive"))
    }
    unpacked += size
  }

  private mutating func fill(_ buffer: inout Buffer) throws(PublisherError) -> Int {
    do throws(UnpackingError) {
      var space = buffer.mutableBytes
      return try archive.read(into: &space)
    } catch { throw ArchiveUnpacker.error(error, path: path, limits: limits) }
  }

  /// Makes something that nothing else in the archive may have made.
  private func making<Result: ~Copyable>(
    _ entry: PackedEntry, _ body: () throws(Failure) -> Result
  ) throws(PublisherError) -> Result {
    do throws(Failure) { return try body() } catch {
      switch error.errno {
      case .exists, .notADirectory, Errno(code: ELOOP), Errno(code: EISDIR):
        throw refusal(.twice(entry: entry.name))
      default: throw .file(error)
      }
    }
  }

  private func refusal(_ flaw: ArchiveFlaw) -> PublisherError { .input(.archive(path: path, flaw)) }

  private static func error(_ error: UnpackingError, path: String, limits: Limits) -> PublisherError {
    switch error {
    case .file(let error): .file(error)
    case .unknownFormat: .input(.archive(path: path, .unknownFormat))
    case .damaged(let cause): .input(.archive(path: path, .damaged(cause: cause)))
    case .encrypted(let entry): .input(.archive(path: path, .encrypted(entry: entry)))
    case .tooLarge: .input(.archive(path: path, .tooLarge(limit: limits.bytes)))
    case .noMemory: .file(Failure(.outOfMemory, path: path))
    }
  }
}
