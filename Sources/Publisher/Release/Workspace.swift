internal import Crypto
internal import Platform

/// The directory of a repository where files are completed before they get their names.
///
/// Each worker has its own.
struct Workspace: ~Copyable {
  private let directory: Directory

  init(_ repository: Repository) throws(PublisherError) { directory = try repository.open() }

  /// Removes the files of an interrupted run, unless a release is being made and they are its files.
  ///
  /// The metadata is locked.
  static func clean(_ directory: borrowing Directory) throws(PublisherError) {
    try onFile { () throws(Failure) in
      for folder in Repository.folders { try directory.makeDirectory(folder) }
    }
    do throws(PublisherError) {
      let payloads = try RepositoryLock(.payloads, of: directory)
      try empty(directory)
      _ = consume payloads
    } catch {
      guard case .repository(.busy) = error else { throw error }
    }
  }

  /// Removes all unfinished files; metadata and payloads are locked.
  static func empty(_ directory: borrowing Directory) throws(PublisherError) {
    // Deeper than an archive that was unpacked there.
    try onFile { () throws(Failure) in
      try directory.removeTree(Repository.work, depth: PublisherLimits.inputDepth + 8)
    }
  }

  /// Makes the directory; a release does it once.
  static func make(_ directory: borrowing Directory) throws(PublisherError) {
    try onFile { () throws(Failure) in try directory.makeDirectory(Repository.work) }
  }

  /// The directory of unfinished files.
  var folder: String { "\(directory.path)/\(Repository.work)" }

  /// The path of an unfinished file.
  func path(_ name: String) -> String { "\(folder)/\(name)" }

  /// The size of a complete file; nil if it is absent.
  func size(of url: String) throws(PublisherError) -> UInt64? { try directory.fileSize(of: url) }

  /// The path of a complete file.
  func path(of url: String) -> String { "\(directory.path)/\(url)" }

  /// The first bytes of a complete file.
  func bytes(of url: String, upTo limit: UInt64) throws(PublisherError) -> [UInt8] {
    try onFile { () throws(Failure) in try directory.open(url).bytes(upTo: limit) }
  }

  /// Opens a new unfinished file.
  func create(_ name: String) throws(PublisherError) -> File {
    try onFile { () throws(Failure) in try directory.open("\(Repository.work)/\(name)", to: .replace) }
  }

  /// Gives a complete file its name; it is durable after `Publication` has flushed the file system.
  func promote(_ name: String, as url: String) throws(PublisherError) {
    try onFile { () throws(Failure) in try directory.rename("\(Repository.work)/\(name)", to: url) }
  }

  /// Gives a complete file another name, replacing a file of that name.
  ///
  /// It keeps the first name where the file system has hard links.
  func link(_ url: String, as other: String) throws(PublisherError) {
    let name = "\(Repository.work)/\(UInt64.random(in: 0 ... .max)).link"
    do throws(Failure) { try directory.link(url, to: directory, as: name) } catch {
      return try onFile { () throws(Failure) in try directory.rename(url, to: other) }
    }
    try onFile { () throws(Failure) in
      try directory.rename(name, to: other)
      // If both were names of one file already, renaming has left them.
      try directory.remove(name)
    }
  }

  func discard(_ name: String) throws(PublisherError) {
    try onFile { () throws(Failure) in try directory.remove("\(Repository.work)/\(name)") }
  }

  /// Writes the component to the repository, if it is not there already.
  ///
  /// - `isSharing`: its file shares blocks with that of the input, if the file system can do that.
  @discardableResult
  func store(_ component: HashedComponent, isSharing: Bool = false) throws(PublisherError)
    -> ComponentReport.Storage
  {
    if try has(component) { return .present }
    // Another worker may write a component with the same bytes.
    let name = "\(component.digest.hex)-\(UInt64.random(in: 0 ... .max)).dat"
    let file = try create(name)
    let isShared =
      isSharing && component.isShareable && share(component.input.file, after: component.front, file)
    let written: FileDigest
    if let tree = component.input.tree {
      written = try FileDigest.of(tree, front: component.front) { (bytes) throws(PublisherError) in
        try onFile { () throws(Failure) in try file.write(bytes) }
      }
    } else if isShared {
      written = try FileDigest.of(path(name))
    } else {
      written = try FileDigest.copy(component.input.file, front: component.front, to: file)
    }
    guard written == FileDigest(size: component.size, digest: component.digest) else {
      throw .input(.changedWhileRead(path: component.input.path))
    }
    try promote(name, as: component.url)
    return isShared ? .shared : .copied
  }

  /// The blocks of this file can be shared with files of the repository, after a block of their own.
  func canShare(_ path: String) throws(PublisherError) -> Bool {
    let name = "shared"
    let file = try create(name)
    let front = [UInt8](repeating: 0, count: InputComponent.block)
    let isShared = share(path, after: front, file)
    try discard(name)
    return isShared
  }

  /// Writes `front`, followed by the file at `path` without copying it; false if that failed, and `output` is at its
  /// start again.
  private func share(_ path: String, after front: [UInt8], _ output: borrowing File) -> Bool {
    do throws(Failure) {
      try output.write(front.span.bytes)
      try output.share(try File(opening: path), at: UInt64(front.count))
      return true
    } catch {
      // Whatever else is wrong, copying says it.
      do throws(Failure) { try output.seek(to: 0) } catch {}
      return false
    }
  }

  /// Whether the component's file is there and right.
  ///
  /// Files that a release lists were durable before it listed them, and so were those that a plan has remembered. Any other
  /// file may come from a release that power loss ended: with its name and size, but without its bytes.
  private func has(_ component: HashedComponent) throws(PublisherError) -> Bool {
    guard try size(of: component.url) == component.size else { return false }
    if component.isUnchanged || component.input.released != nil { return true }
    if let since = component.durableSince {
      let changed = try onFile { () throws(Failure) in try directory.open(component.url).version().changed }
      if changed < since { return true }
    }
    return try FileDigest.of(path(of: component.url)).digest == component.digest
  }
}
