/// An entry of an archive, as it is there: nothing of it is checked.
package struct PackedEntry: Equatable {
  /// With slashes; bytes that are not UTF-8 are replaced.
  package let name: String
  /// No bytes of the name were replaced.
  package let isUTF8: Bool
  package let kind: Kind

  /// What the entry is; owner, time and permissions play no role.
  package enum Kind: Equatable {
    /// `size` in bytes, holes included.
    case file(size: UInt64)
    case directory
    /// Another name of a file that comes before it; `isEmpty`: it has no bytes of its own.
    case hardLink(to: String, isEmpty: Bool)
    /// A symbolic link, a device, a pipe or a socket.
    case other
  }
}
