/// The names that the formats of a generation use.
enum ManifestFormat {
  static var firstLine: String { "tinyupdater-manifest 1" }
  static var fileName: String { "manifest" }
  /// Where it is written anew.
  static var newName: String { "manifest.new" }
  static var catalogName: String { "catalog" }
}
