/// The names that the formats of a generation use.
enum ManifestFormat {
  static var firstLine: String { "tinyupdater-manifest 1" }
  static var fileName: String { "manifest" }
  static var catalogName: String { "catalog" }
}
