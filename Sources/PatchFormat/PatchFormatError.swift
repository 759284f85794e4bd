/// Why a head was refused.
package enum PatchFormatError: Error, Equatable {
  /// The file does not begin as a patch does.
  case notAPatch
  /// A field of the head is out of bounds or contradicts another.
  case badHead(HeadField)
  /// The bytes end before the head does.
  case truncated(at: UInt64)

  /// A field of the head, by its name in `docs/format/patch.md`.
  package enum HeadField: Equatable {
    case size, dictionary, payload, block, content, newFile, oldFile
  }
}
