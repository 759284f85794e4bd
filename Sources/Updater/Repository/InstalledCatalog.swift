/// Whether the catalog of the current generation, with its parts, can take the place of a download.
enum InstalledCatalog {
  /// Each of them does.
  case usable
  /// One of them is lost, so none does, and a part that was downloaded counts only once it is read.
  case lost
}
