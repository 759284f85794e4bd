internal import Catalog
internal import Crypto
internal import DeltaApply
internal import DeltaCreate
internal import PatchFormat
internal import Platform

/// The seam to the module that makes patches: from files to a file, and to what a catalog says about it.
struct PayloadMaker {
  /// Makes the unfinished file `name` that turns the component `old` into `new`; packs `new` if there is no old.
  ///
  /// What it has made was applied once, as a device does it, and compared with `new`.
  static func make(
    from old: (path: String, digest: Digest)?, to new: (path: String, file: FileDigest), as name: String,
    memory: Int, in workspace: borrowing Workspace
  ) throws(PublisherError) -> (container: Container, unsearched: Int) {
    var options = PatchMaker.Options()
    options.memory = memory
    options.workDirectory = workspace.folder
    let patch = try patch(from: old?.path, to: new.path, options)
    guard patch.newDigest == new.file.digest else { throw .repository(.wrongDigest(path: new.path)) }
    if let old, patch.oldDigest != old.digest { throw .repository(.wrongDigest(path: old.path)) }
    try write(patch, to: try workspace.create(name))
    let container = Container(patch.head, digest: patch.headDigest, size: patch.size)
    try check(
      workspace.path(name), expectation(container, from: try size(old?.path), to: new.file),
      from: old?.path, to: new.path)
    return (container, patch.unsearched)
  }

  /// Whether the payload at `path` makes the file `new` from the old one.
  static func makes(
    _ new: (path: String, file: FileDigest), _ container: Container, at path: String, from old: String?
  ) throws(PublisherError) -> Bool {
    let expectation = expectation(container, from: try size(old), to: new.file)
    do throws(PublisherError) { try check(path, expectation, from: old, to: new.path) } catch {
      guard case .payload(.notApplied) = error else { throw error }
      return false
    }
    return true
  }

  /// Applies the payload at `path` as a device does it, and compares what it makes with the file `new`.
  static func check(
    _ path: String, _ expectation: PatchExpectation, from old: String?, to new: String
  ) throws(PublisherError) {
    let patch = try onFile { () throws(FileError) in try File(opening: path) }
    var base: File?
    if let old { base = try onFile { () throws(FileError) in try File(opening: old) } }
    var files = ComparingFiles(old: base, new: try map(new))
    do throws(DeltaError) {
      _ = try applyPatch(from: patch, expectation, &files, memoryLimit: .max)
      guard files.isComplete else { throw .wrongResult(isOld: false) }
    } catch {
      if case .file(let error) = error { throw .file(error) }
      throw .payload(.notApplied(path: path, error))
    }
  }

  /// Writes a patch to a file, and waits until it is durable.
  static func write(_ patch: PackedPatch, to file: borrowing File) throws(PublisherError) {
    do throws(DeltaCreateError) { try patch.write(to: file) } catch {
      if case .file(let error) = error { throw .file(error) }
      throw .payload(.notMade(path: file.path, error))
    }
    try onFile { () throws(FileError) in try file.synchronize() }
  }

  private static func expectation(
    _ container: Container, from oldSize: UInt64, to new: FileDigest
  ) -> PatchExpectation {
    PatchExpectation(
      head: container.head, containerSize: container.size, oldSize: oldSize, newSize: new.size)
  }

  /// Without a file, 0.
  private static func size(_ path: String?) throws(PublisherError) -> UInt64 {
    guard let path else { return 0 }
    return try onFile { () throws(FileError) in try File(opening: path).size() }
  }

  /// Makes a patch.
  static func patch(
    from old: String?, to new: String, _ options: PatchMaker.Options
  ) throws(PublisherError) -> PackedPatch {
    let newBytes = try map(new)
    guard let old else {
      return try patch(UnsafeBufferPointer(start: nil, count: 0), newBytes.bytes, new, options)
    }
    let oldBytes = try map(old)
    return try patch(oldBytes.bytes, newBytes.bytes, new, options)
  }

  private static func patch(
    _ old: UnsafeBufferPointer<UInt8>, _ new: UnsafeBufferPointer<UInt8>, _ path: String,
    _ options: PatchMaker.Options
  ) throws(PublisherError) -> PackedPatch {
    do throws(DeltaCreateError) { return try PatchMaker(options).pack(old: old, new: new) } catch {
      if case .file(let error) = error { throw .file(error) }
      throw .payload(.notMade(path: path, error))
    }
  }

  private static func map(_ path: String) throws(PublisherError) -> MappedFile {
    try onFile { () throws(FileError) in try MappedFile(try File(opening: path)) }
  }
}
