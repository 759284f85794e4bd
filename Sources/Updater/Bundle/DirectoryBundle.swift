internal import Platform

/// A bundle that is a directory, as on a stick.
final class DirectoryBundle {
  private let directory: Directory
  private var file: File?

  init(_ directory: consuming Directory) { self.directory = directory }

  var path: String { directory.path }

  func has(_ name: String) throws(Failure) -> Bool {
    try directory.status(of: name)?.kind == .file
  }

  func open(_ name: String) throws(Failure) -> UInt64? {
    guard try has(name) else { return nil }
    let opened = try directory.open(name)
    let size = try opened.size()
    file = consume opened
    return size
  }

  func read(into buffer: inout MutableRawSpan) throws(Failure) -> Int {
    try file?.read(into: &buffer) ?? 0
  }
}
