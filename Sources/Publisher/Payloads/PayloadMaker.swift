internal import Catalog
internal import Crypto
internal import DeltaApply
internal import DeltaCreate
internal import Platform

/// The seam to the module that makes patches: from files to a file, and to what a catalog says about it.
struct PayloadMaker {
  /// Makes the unfinished file `name` that turns the component `old` into `new`; packs `new` if there is no old.
  ///
  /// What it has made was applied once, as a device does it.
  static func make(
    from old: (path: String, digest: Digest)?, to new: (path: String, file: FileDigest), as name: String,
    in workspace: borrowing Workspace
  ) throws(PublisherError) -> Container {
    let patch = try patch(from: old?.path, to: new.path)
    guard patch.newDigest == new.file.digest else { throw .wrongDigest(path: new.path) }
    if let old, patch.oldDigest != old.digest { throw .wrongDigest(path: old.path) }
    let file = try workspace.create(name)
    try onFile { () throws(FileError) in
      try file.write(patch.bytes.span.bytes)
      try file.synchronize()
    }
    let container = Container(patch.head, digest: patch.headDigest, size: UInt64(patch.bytes.count))
    guard try makes(new.file, container, at: workspace.path(name), from: old?.path, in: workspace) else {
      throw .notReadBack(path: workspace.path(name))
    }
    return container
  }

  /// Whether the payload at `path` makes a file from the old one; the file is thrown away.
  static func makes(
    _ new: FileDigest, _ container: Container, at path: String, from old: String?,
    in workspace: borrowing Workspace
  ) throws(PublisherError) -> Bool {
    let result = "\(container.head.hex).check"
    let patch = try onFile { () throws(FileError) in try File(opening: path) }
    var oldSize: UInt64 = 0
    var base: File?
    if let old {
      let file = try onFile { () throws(FileError) in try File(opening: old) }
      oldSize = try onFile { () throws(FileError) in try file.size() }
      base = consume file
    }
    var files = LocalPatchFiles(old: base, new: try workspace.create(result))
    let expectation = PatchExpectation(
      head: container.head, containerSize: container.size, oldSize: oldSize, newSize: new.size)
    do throws(DeltaError) {
      _ = try applyPatch(from: patch, expectation, &files, memoryLimit: .max)
    } catch {
      if case .file(let error) = error { throw .file(error) }
      throw .patchNotApplied(path: path, error)
    }
    let isRight = try FileDigest.of(workspace.path(result)) == new
    try workspace.discard(result)
    return isRight
  }

  private static func patch(from old: String?, to new: String) throws(PublisherError) -> DeltaCreate.Patch {
    var oldBytes: [UInt8] = []
    if let old { oldBytes = try contents(old) }
    let newBytes = try contents(new)
    do throws(DeltaCreateError) {
      return try PatchMaker().make(old: oldBytes.span, new: newBytes.span)
    } catch { throw .patchNotMade(path: new, error) }
  }

  private static func contents(_ path: String) throws(PublisherError) -> [UInt8] {
    try onFile { () throws(FileError) in
      let file = try File(opening: path)
      var bytes = [UInt8](repeating: 0, count: Int(clamping: try file.size()))
      var span = bytes.mutableSpan
      var space = span.mutableBytes
      let count = try file.read(into: &space, at: 0)
      return count == bytes.count ? bytes : Array(bytes[..<count])
    }
  }
}

extension Container {
  /// The container that lies in a repository under its digest.
  init(_ head: PatchHead, digest: Digest, size: UInt64) {
    self.init(url: "payloads/\(digest.hex).patch", size: size, head: digest, memory: head.memoryNeeded)
  }
}
