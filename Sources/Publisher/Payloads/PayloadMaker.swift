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
    from old: (path: String, digest: Digest)?, to new: (path: String, digest: Digest), as name: String,
    in workspace: borrowing Workspace
  ) throws(PublisherError) -> Container {
    let patch = try patch(from: old?.path, to: new.path)
    guard patch.head.new.digest == new.digest else { throw .wrongDigest(path: new.path) }
    if let old, patch.head.old?.digest != old.digest { throw .wrongDigest(path: old.path) }
    let file = try workspace.create(name)
    try onFile { () throws(FileError) in
      try file.write(patch.bytes.span.bytes)
      try file.synchronize()
    }
    try check(patch.headDigest, old: old?.path, name, in: workspace)
    return Container(patch.head, digest: patch.headDigest)
  }

  private static func patch(from old: String?, to new: String) throws(PublisherError) -> DeltaCreate.Patch {
    var oldBytes: [UInt8] = []
    if let old { oldBytes = try contents(old) }
    let newBytes = try contents(new)
    do throws(DeltaCreateError) {
      return try PatchMaker().make(old: oldBytes.span, new: newBytes.span)
    } catch { throw .patchNotMade(path: new, error) }
  }

  /// Applies the patch to a file that is thrown away.
  private static func check(
    _ head: Digest, old: String?, _ name: String, in workspace: borrowing Workspace
  ) throws(PublisherError) {
    let path = workspace.path(name)
    let result = name + ".check"
    let patch = try onFile { () throws(FileError) in try File(opening: path) }
    var base: File?
    if let old { base = try onFile { () throws(FileError) in try File(opening: old) } }
    let output = try workspace.create(result)
    let applied: PatchHead
    do throws(DeltaError) {
      applied = try applyPatch(
        from: patch, expectedHead: head, old: base, into: output, memoryLimit: .max)
    } catch {
      if case .file(let error) = error { throw .file(error) }
      throw .patchNotApplied(path: path, error)
    }
    let found = try FileDigest.of(workspace.path(result))
    guard found == FileDigest(size: applied.new.size, digest: applied.new.digest) else {
      throw .notReadBack(path: path)
    }
    try workspace.discard(result)
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
  /// The container that lies in a repository under the digest of its head.
  init(_ head: PatchHead, digest: Digest) {
    self.init(
      url: "payloads/\(digest.hex).patch", size: head.containerSize, head: digest, memory: head.memoryNeeded)
  }
}
