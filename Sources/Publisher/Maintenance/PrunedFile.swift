internal import Platform

/// A file that nothing in the repository needs any more.
package struct PrunedFile: Equatable, Sendable {
  /// Relative to the repository.
  package let name: String
  /// In bytes.
  package let size: UInt64

  /// "catalogs", "components" or "payloads"; "payloads" also for those that were made for the next release.
  package var folder: String {
    let first = name.parts(separatedBy: "/", limit: 2)[0]
    return first == PayloadCache.root ? "payloads" : first
  }
}
