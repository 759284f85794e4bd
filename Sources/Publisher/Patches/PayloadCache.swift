internal import Catalog
internal import Crypto
internal import DeltaCreate
internal import JSONCoding
internal import Platform
internal import Reporting

/// Payloads that were made for the next release, and notes that a payload is not worthwhile; no release lists them yet.
///
/// They are in `.made/NUMBER` of the repository, NUMBER being that of the release, so that finding them costs nothing for all
/// the payloads of older releases. They are a cache, which may be removed at any time, and are checked before they are used:
/// nothing in there is flushed.
///
/// A file is called `NEW-OLD-RECIPE`: the digests of the two components ("packed" without a base), and 16 digits that stand
/// for the recipe: the plan of the search, and the versions of program and libraries. It holds the payload, or `note`. If streams of the new
/// file could not be rebuilt, `NEW-OLD-RECIPE.streams` says why: only the search knows, and a report shows it.
struct PayloadCache: Sendable {
  /// Relative to the repository.
  let folder: String

  static var root: String { ".made" }
  private static var recipeDigits: Int { 16 }
  private static var streams: String { ".streams" }
  /// The content of a file in the place of a payload that is not worthwhile; no payload begins like this.
  private static var note: [UInt8] { Array("not worthwhile\n".utf8) }

  init(for release: UInt64) { folder = "\(PayloadCache.root)/\(release)" }

  /// A payload, and how it is made.
  struct Recipe: Sendable {
    /// Nil for the packed form.
    let old: Digest?
    let new: Digest
    let plan: SearchBudget
  }

  /// The file of a payload, relative to the repository.
  func name(_ recipe: Recipe) throws(PublisherError) -> String {
    let text =
      "\(recipe.plan.recipe) \(productVersion) \(PatchMaker.libraries) \(PatchMaker.encodesStreams)"
    do throws(HasherError) {
      return
        "\(prefix(recipe))\(try Hasher.digest(of: Array(text.utf8).span.bytes).hex.prefix(PayloadCache.recipeDigits))"
    } catch { throw .library(.hashing(path: folder)) }
  }

  /// How the name of that payload begins, for every recipe.
  private func prefix(_ recipe: Recipe) -> String {
    "\(folder)/\(recipe.new.hex)-\(recipe.old?.hex ?? "packed")-"
  }

  // MARK: - Finding

  enum Found: Equatable {
    /// Its end may be damaged.
    case payload(Container)
    case notWorthwhile
  }

  /// The payload or note; nil if it is absent, or damaged at its beginning.
  func find(_ recipe: Recipe, in workspace: borrowing Workspace) throws(PublisherError) -> Found? {
    let name = try name(recipe)
    guard let size = try workspace.size(of: name) else { return nil }
    if size == UInt64(PayloadCache.note.count) {
      return try workspace.bytes(of: name, upTo: size) == PayloadCache.note ? .notWorthwhile : nil
    }
    return try Container.read(workspace.path(of: name)).map { .payload($0) }
  }

  /// How many of these payloads are there by another recipe only, and are not used.
  func unused(
    _ recipes: [Recipe], in repository: borrowing Directory
  ) throws(PublisherError) -> Int {
    let payloads = try onFile { () throws(Failure) in try PayloadCache.payloads(in: repository) }
    let names = Set(payloads.map(\.name))
    // Most often there are none, and no names are made.
    guard !names.isEmpty else { return 0 }
    let prefixes = Set(names.map { $0.dropLast(PayloadCache.recipeDigits) })
    return try recipes.count { (recipe) throws(PublisherError) in
      guard prefixes.contains(prefix(recipe)[...]) else { return false }
      return try !names.contains(name(recipe))
    }
  }

  // MARK: - Making

  /// Makes a payload and checks that a device can use it.
  func produce(
    _ recipe: Recipe, between pair: PatchPair, in workspace: borrowing Workspace,
    helpedBy processors: Processors = .none, observe: @escaping @Sendable (PatchProgress) -> Void = { _ in }
  ) throws(PublisherError) -> (container: Container, streams: StreamFigures) {
    let (old, new) = (recipe.old, recipe.new)
    // Another process may make the same one at the same time.
    let unfinished = "\(new.hex)-\(old?.hex ?? "packed")-\(UInt64.random(in: 0 ... .max)).patch"
    var maker = PayloadMaker(pair: pair, plan: recipe.plan)
    maker.options.workDirectory = workspace.folder
    maker.options.processors = processors
    maker.options.observe = observe
    do throws(PublisherError) {
      let made = try maker.make(unfinished, in: workspace, old: old, new: new)
      try note(Report.NotRebuilt(made.streams), for: recipe, in: workspace)
      try workspace.promote(unfinished, as: name(recipe))
      return made
    } catch {
      do throws(PublisherError) { try workspace.discard(unfinished) } catch {}
      throw error
    }
  }

  // MARK: - Streams that were not rebuilt

  private func note(
    _ streams: Report.NotRebuilt, for recipe: Recipe, in workspace: borrowing Workspace
  ) throws(PublisherError) {
    guard streams != .none else { return }
    let unfinished = "\(recipe.new.hex)-\(UInt64.random(in: 0 ... .max)).streams"
    let file = try workspace.create(unfinished)
    try onFile { () throws(Failure) in try file.write(JSONLine.text(streams)) }
    try workspace.promote(unfinished, as: name(recipe) + PayloadCache.streams)
  }

  /// The streams that could not be rebuilt in a payload that was found; nil if their file is damaged.
  func notRebuilt(
    _ recipe: Recipe, in workspace: borrowing Workspace
  ) throws(PublisherError) -> Report.NotRebuilt? {
    let name = try name(recipe) + PayloadCache.streams
    guard let size = try workspace.size(of: name) else { return Report.NotRebuilt.none }
    guard size <= PublisherLimits.keptFigures else { return nil }
    let bytes = try workspace.bytes(of: name, upTo: size)
    do throws(JSONLine.Flaw) {
      return try JSONLine.value(Report.NotRebuilt.self, parsing: bytes)
    } catch { return nil }
  }

  // MARK: - Payloads that are not worthwhile

  /// Notes that the payload is not worthwhile, in its place.
  func dismiss(_ recipe: Recipe, in workspace: borrowing Workspace) throws(PublisherError) {
    let unfinished = "\(recipe.new.hex)-\(UInt64.random(in: 0 ... .max)).note"
    let file = try workspace.create(unfinished)
    try onFile { () throws(Failure) in try file.write(PayloadCache.note.span.bytes) }
    try workspace.promote(unfinished, as: name(recipe))
  }

  // MARK: - The directory

  /// Removes the payloads of every release but the next one, whose number is `next`; the payloads are locked.
  static func clean(_ repository: borrowing Directory, next: UInt64) throws(PublisherError) {
    try onFile { () throws(Failure) in
      guard try repository.status(of: root)?.kind == .directory else { return }
      var isEmpty = true
      try repository.openDirectory(root).removeTrees { name in
        if name == "\(next)" { isEmpty = false }
        return name != "\(next)"
      }
      if isEmpty { try repository.removeTree(root) }
    }
  }

  /// Makes the directory.
  func makeFolder(in repository: borrowing Directory) throws(PublisherError) {
    try onFile { () throws(Failure) in
      try repository.makeDirectory(PayloadCache.root)
      try repository.makeDirectory(folder)
    }
  }

  /// Hands the notes with these names over to the release after, `next`; removes everything else.
  func end(
    in repository: borrowing Directory, next: PayloadCache, keeping names: Set<String>
  ) throws(Failure) {
    let directory = try repository.openDirectory(folder)
    var hasNotes = false
    try directory.removeTrees { name in
      let isNote = names.contains("\(folder)/\(name)") && PayloadCache.isNote(name, in: directory)
      hasNotes = hasNotes || isNote
      return !isNote
    }
    guard hasNotes else { return try repository.removeTree(PayloadCache.root) }
    try repository.rename(folder, to: next.folder)
  }

  /// All payloads in `repository` that no release lists yet, for whichever release they were made.
  static func payloads(in repository: borrowing Directory) throws(Failure) -> [(name: String, size: UInt64)] {
    guard try repository.status(of: root)?.kind == .directory else { return [] }
    var folders: [String] = []
    try repository.openDirectory(root).forEachName { (name) throws(Failure) in
      if try repository.status(of: "\(root)/\(name)")?.kind == .directory {
        folders.append("\(root)/\(name)")
      }
    }
    var payloads: [(name: String, size: UInt64)] = []
    for folder in folders {
      let directory = try repository.openDirectory(folder)
      try directory.forEachName { (name) throws(Failure) in
        guard let status = try directory.status(of: name), status.kind == .file, !isNote(name, in: directory)
        else {
          return
        }
        payloads.append(("\(folder)/\(name)", status.size))
      }
    }
    return payloads.sorted { $0.name < $1.name }
  }

  private static func isNote(_ name: String, in directory: borrowing Directory) -> Bool {
    do throws(Failure) {
      guard try directory.status(of: name)?.size == UInt64(note.count) else { return false }
      return try directory.open(name).bytes(upTo: UInt64(note.count)) == note
    } catch { return false }
  }
}
