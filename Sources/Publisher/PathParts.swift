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

  /// `path` without the slashes at its end; "/" stays as it is.
  package static func withoutTrailingSlash(_ path: String) -> String {
    var path = path[...]
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path = path.dropLast() }
    return String(path)
  }
}
