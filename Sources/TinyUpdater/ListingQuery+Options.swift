internal import Catalog
internal import MapTree
internal import Platform
internal import Updater

/// A listing as the command line asks for it.
extension ListingQuery {
  /// Nil if an option has no such value, or is not one of the command.
  init?(_ line: Arguments, _ command: Command) {
    self.init()
    guard let language = Language.wanted(line.value(of: "lang")) else { return nil }
    self.language = language
    if case .list(let ids) = command {
      self.ids = ids
    } else if ["tree", "composite", "depth", "installed", "updates"].contains(where: line.has) {
      return nil
    }
    if let text = line.value(of: "depth") {
      guard let depth = Int(ascii: text.utf8), depth > 0 else { return nil }
      self.depth = depth
    }
    if line.has("composite") {
      view = .composite
    } else if line.has("tree") || line.has("depth") {
      view = .tree
    }
    onlyInstalled = line.has("installed")
    onlyUpdates = line.has("updates")
  }

  static var complaint: String {
    "--tree, --composite, --depth, --installed and --updates are options of list; "
      + "--depth takes a number from 1, and --lang a language such as de or de-AT"
  }
}
