internal import Catalog
internal import Crypto
internal import DeltaCreate
internal import Platform

/// What was made for the next release and is listed by none yet: payloads, and notes that one is not worthwhile.
///
/// They are in `.made/NUMBER` of the repository, NUMBER being that of the release, so that finding them costs nothing for all
/// the payloads of older releases. They are a cache, which may be removed at any time, and are checked before they are used:
/// nothing in there is flushed.
///
/// A file is called `NEW-OLD-MAKER`: the digests of the two components ("packed" without a base), and 16 digits that stand
/// for the plan of the search and the version of what makes payloads. It holds the payload, or `note`.
struct MadePayloads: Sendable {
  /// Relative to the repository.
  let folder: String

  static var root: String { ".made" }
  private static var makerDigits: Int { 16 }
  /// The content of a file in the place of a payload that is not worthwhile; no payload begins like this.
  private static var note: [UInt8] { Array("not worthwhile\n".utf8) }

  init(for release: UInt64) { folder = "\(MadePayloads.root)/\(release)" }

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
        "\(prefix(recipe))\(try Hasher.digest(of: Array(text.utf8).span.bytes).hex.prefix(MadePayloads.makerDigits))"
    } catch { throw .library(.hashing(path: folder)) }
  }

  /// What begins the name of that payload, whatever made it.
  private func prefix(_ recipe: Recipe) -> String {
    "\(folder)/\(recipe.new.hex)-\(recipe.old?.hex ?? "packed")-"
  }

  // MARK: - Finding

  enum Found: Equatable {
    /// Its end may be damaged.
    case payload(Container)
    case notWorthwhile
  }

  /// What was made; nil if that is nothing, or damaged at its beginning.
  func find(_ recipe: Recipe, in workspace: borrowing Workspace) throws(PublisherError) -> Found? {
    let name = try name(recipe)
    guard let size = try workspace.size(of: name) else { return nil }
    if size == UInt64(MadePayloads.note.count) {
      return try workspace.bytes(of: name, upTo: size) == MadePayloads.note ? .notWorthwhile : nil
    }
    return try Container.read(workspace.path(of: name)).map { .payload($0) }
  }

  /// How many of these payloads are there in another form alone, from another plan or version, and are not used.
  func unused(
    _ recipes: [Recipe], in repository: borrowing Directory
  ) throws(PublisherError) -> Int {
    let payloads = try onFile { () throws(FileError) in try MadePayloads.payloads(in: repository) }
    let names = Set(payloads.map(\.name))
    // Most often there are none, and no names are made.
    guard !names.isEmpty else { return 0 }
    let prefixes = Set(names.map { $0.dropLast(MadePayloads.makerDigits) })
    return try recipes.count { (recipe) throws(PublisherError) in
      guard prefixes.contains(prefix(recipe)[...]) else { return false }
      return try !names.contains(name(recipe))
    }
  }

  // MARK: - Making

  /// Makes a payload and checks that a device can use it.
  func make(
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
      try workspace.publish(unfinished, as: name(recipe))
      return made
    } catch {
      do throws(PublisherError) { try workspace.discard(unfinished) } catch {}
      throw error
    }
  }

  /// Notes that the payload is not worthwhile, in its place.
  func dismiss(_ recipe: Recipe, in workspace: borrowing Workspace) throws(PublisherError) {
    let unfinished = "\(recipe.new.hex)-\(UInt64.random(in: 0 ... .max)).note"
    let file = try workspace.create(unfinished)
    try onFile { () throws(FileError) in try file.write(MadePayloads.note.span.bytes) }
    try workspace.publish(unfinished, as: name(recipe))
  }

  // MARK: - The directory

  /// Removes what was made for any release but the next one, whose number is `next`; the payloads are locked.
  static func clean(_ repository: borrowing Directory, next: UInt64) throws(PublisherError) {
    try onFile { () throws(FileError) in
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
    try onFile { () throws(FileError) in
      try repository.makeDirectory(MadePayloads.root)
      try repository.makeDirectory(folder)
    }
  }

  /// Hands notes of these names over to the next release, `next`; removes everything else.
  func end(
    in repository: borrowing Directory, next: MadePayloads, keeping names: Set<String>
  ) throws(FileError) {
    let made = try repository.openDirectory(folder)
    var hasNotes = false
    try made.removeTrees { name in
      let isNote = names.contains("\(folder)/\(name)") && MadePayloads.isNote(name, in: made)
      hasNotes = hasNotes || isNote
      return !isNote
    }
    guard hasNotes else { return try repository.removeTree(MadePayloads.root) }
    try repository.rename(folder, to: next.folder)
  }

  /// The payloads in `repository` that were made and are listed by no release yet, whichever it was to be.
  static func payloads(in repository: borrowing Directory) throws(FileError) -> [(name: String, size: UInt64)]
  {
    guard try repository.status(of: root)?.kind == .directory else { return [] }
    var folders: [String] = []
    try repository.openDirectory(root).forEachName { (name) throws(FileError) in
      if try repository.status(of: "\(root)/\(name)")?.kind == .directory {
        folders.append("\(root)/\(name)")
      }
    }
    var payloads: [(name: String, size: UInt64)] = []
    for folder in folders {
      let made = try repository.openDirectory(folder)
      try made.forEachName { (name) throws(FileError) in
        guard let status = try made.status(of: name), status.kind == .file, !isNote(name, in: made) else {
          return
        }
        payloads.append(("\(folder)/\(name)", status.size))
      }
    }
    return payloads.sorted { $0.name < $1.name }
  }

  private static func isNote(_ name: String, in made: borrowing Directory) -> Bool {
    do throws(FileError) {
      guard try made.status(of: name)?.size == UInt64(note.count) else { return false }
      return try made.open(name).bytes(upTo: UInt64(note.count)) == note
    } catch { return false }
  }
}
