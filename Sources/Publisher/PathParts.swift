internal import Platform

/// A path taken apart, without looking at the file system.
package struct PathParts: Equatable {
  /// The directory of the file: "." for a bare name.
  let parent: String
  let name: String

  init(of path: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      parent = "."
      name = path
      return
    }
    parent = slash == path.startIndex ? "/" : String(path[..<slash])
    name = String(path[path.index(after: slash)...])
  }

  /// The path from the root of the file system.
  static func absolute(_ path: String) throws(PublisherError) -> String {
    guard path.utf8.first != UInt8(ascii: "/") else { return path }
    let current = try onFile { () throws(Failure) in
      try Directory(opening: "/proc/self").readSymbolicLink("cwd")
    }
    return "\(current ?? "")/\(path)"
  }

  /// `path` without the slashes at its end; "/" stays as it is.
  package static func withoutTrailingSlash(_ path: String) -> String {
    var path = path[...]
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path = path.dropLast() }
    return String(path)
  }
}
