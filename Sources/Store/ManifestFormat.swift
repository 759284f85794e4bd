/// The names that the formats of a generation use.
enum ManifestFormat {
  static var firstLine: String { "tinyupdater-manifest 1" }
  static var fileName: String { "manifest" }
  static var catalogName: String { "catalog" }
  /// Bytes of one line: an id, a data group, numbers and two digests.
  static var maximumLine: Int { 512 }
}
