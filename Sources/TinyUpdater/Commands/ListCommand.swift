internal import Catalog
internal import MapModel
internal import MapTree
internal import Platform
internal import Updater

/// `list`: shows packages, or the map tree.
struct ListCommand: StoreCommand {
  static var description: CommandDescription {
    .init(
      "list", operands: .ids, options: [.tree, .composite, .depth, .installed, .updates, .language],
      summary: "show packages and their state; with --tree or --composite, regions as well")
  }

  private let query: ListingQuery

  init(_ invocation: Invocation) throws(UsageError) {
    var query = ListingQuery()
    query.ids = SortedIDs(try invocation.takeIDs())
    query.language = try invocation.language()
    if let text = invocation.value(of: .depth) {
      guard let depth = Int(ascii: text.utf8), depth > 0 else {
        throw invocation.error("--depth takes a number of levels, at least 1")
      }
      query.depth = depth
    }
    if invocation.has(.composite) {
      query.view = .composite
    } else if invocation.has(.tree) || invocation.has(.depth) {
      query.view = .tree
    }
    query.onlyInstalled = invocation.has(.installed)
    query.onlyUpdates = invocation.has(.updates)
    self.query = query
  }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    var sources = try session.listingSources(of: query.ids.all)
    let unlisted = try session.write(query, from: &sources).unlisted
    let (release, newest) = (sources.release, sources.newest)
    if unlisted > 0 {
      session.console.say(
        "\(unlisted) more package\(unlisted == 1 ? "" : "s"), whose list is not on this device; "
          + "\"tinyupdater list ID…\" with a region fetches it", indent: 0)
    }
    session.console.say(release.text)
    if let newest { session.console.say("\(newest.text) is the newest known") }
    let standby = try session.standby()
    if let standby { session.console.say("\(standby.text), is staged; \(standby.advice)", indent: 0) }
    session.console.emitResult(.success) { json in
      json.add("release", release.json)
      if let standby { json.add("standby", standby.json) }
      if let newest { json.add("newest", newest.json) }
      if unlisted > 0 { json.add("unlisted", unlisted) }
      json.add("peakResident", MemoryBudget.peakResident ?? 0)
    }
    return .success
  }
}

extension Invocation {
  /// The language of `--lang`, or else of the locale.
  func language() throws(UsageError) -> Language {
    guard let language = Language.wanted(value(of: .language)) else {
      throw error("--lang takes a language, such as de or de-AT")
    }
    return language
  }
}
