/// What has to be durable before a name makes it visible, and before a command ends (docs/power-loss.md).
struct OrderRules {
  private let model: DiskModel
  /// Names that have to be durable before anything else changes: each makes something visible.
  private var promised: [String] = []
  /// Names that have to be durable when the command ends.
  private var owed: Set<String> = []
  /// What was not durable when it had to be.
  private(set) var violations: [String] = []

  /// Goes through the calls of a command that began with the tree `model`, and ended well.
  static func violations(_ calls: [DiskCall], on model: DiskModel) -> [String] {
    var rules = OrderRules(model)
    for call in calls {
      rules.examine(call)
      model.apply(call)
      rules.note(call)
    }
    rules.keepPromises(before: "the end")
    for name in rules.owed.sorted() {
      rules.require(model.isDurable(name: name), "the removal of \(name), before the end")
    }
    return rules.violations
  }

  private init(_ model: DiskModel) { self.model = model }

  // MARK: - Before a call

  private mutating func examine(_ call: DiskCall) {
    switch call {
    case .flush: return
    case .write(let path):
      guard let path = model.local(path) else { return }
      checkpoint(path)
    case .open(let path, let isCut):
      guard let path = model.local(path) else { return }
      if isCut || model.node(path) == nil { keepPromises(before: path) }
    case .makeDirectory(let path), .symbolicLink(let path, _):
      if let path = model.local(path) { keepPromises(before: path) }
    case .remove(let path):
      guard let path = model.local(path) else { return }
      keepPromises(before: path)
      giveUp(path)
    case .punch(let path):
      guard let path = model.local(path) else { return }
      giveUp(path)
    case .link(let from, let to):
      guard let from = model.local(from), let to = model.local(to) else { return }
      keepPromises(before: to)
      // What an update in place links is durable with the generation that it commits first.
      let isClean = model.node(from).map { !$0.isDirty } ?? true
      require(isClean || to.hasPrefix("in-place.new/"), "the content of \(from) before it is linked")
    case .rename(let from, let to):
      guard let from = model.local(from), let to = model.local(to) else { return }
      // How far an operation has come is for those who watch, and means nothing after a power cut.
      guard to != "queue/active" else { return }
      keepPromises(before: to)
      rename(from, to)
    }
  }

  private mutating func require(_ isDurable: Bool, _ what: String) {
    if !isDurable { violations.append("not durable: \(what)") }
  }

  private mutating func keepPromises(before path: String) {
    guard !OrderRules.isNotDurable(path) else { return }
    for name in promised {
      require(model.isDurable(name: name), "the name \(name), before \(path)")
      require(model.node(name).map { !$0.isDirty } ?? true, "the content of \(name), before \(path)")
    }
    promised = []
  }

  /// Progress, events, the index command's output and locks are not promised to anyone.
  private static func isNotDurable(_ path: String) -> Bool {
    path.hasPrefix("queue/active") || path.hasPrefix("events") || path == "history"
      || path.contains(".index.")
  }

  /// A checkpoint counts bytes that are durable, and its two slots are not at stake at the same time.
  private mutating func checkpoint(_ path: String) {
    if path.hasSuffix(".part"), let record = model.node(path.dropLast(".part".count) + ".restart") {
      require(!record.isUnsynced, "the last checkpoint, before \(path) grows")
    }
    if path == "in-place/journal" { checkpointInPlace() }
    guard path.hasSuffix(".restart") else { return }
    let part = path.dropLast(".restart".count) + ".part"
    require(model.node(String(part)).map { !$0.isUnsynced } ?? true, "\(part), before the checkpoint")
    require(model.node(path).map { !$0.isUnsynced } ?? true, "the checkpoint before")
  }

  /// The same of an update in place: what a line counts is durable before it, and so is the line before.
  private mutating func checkpointInPlace() {
    require(model.node("in-place/journal").map { !$0.isUnsynced } ?? true, "the line before")
    for (name, node) in model.node("in-place/files")?.children ?? [:] {
      require(
        name.hasSuffix(".part") ? !node.isUnsynced : !node.isDirty, "\(name), before the journal's line")
    }
  }

  /// A part of `path` is given up: in an update in place, what was made of it is durable, and so is the journal's line that
  /// says so (`docs/design.md`, In place).
  private mutating func giveUp(_ path: String) {
    if path.hasPrefix("in-place.old/") {
      require(model.isDurable(name: "in-place"), "the end of the update in place, before \(path) goes")
    }
    guard path.hasPrefix("in-place/base/") || path.hasPrefix("in-place/files/"), !path.hasSuffix(".probe"),
      let files = model.node("in-place/files")
    else { return }
    require(model.isDurable(name: "in-place/base"), "in-place/base, before \(path) goes")
    require(
      model.node("in-place/journal").map { !$0.isUnsynced } ?? false, "the journal, before \(path) goes")
    for (name, node) in files.children where "in-place/files/\(name)" != path {
      require(!files.pending.contains(name), "the name \(name), before \(path) goes")
      require(!node.isDirty, "the content of \(name), before \(path) goes")
    }
  }

  private mutating func rename(_ from: String, _ to: String) {
    guard let node = model.node(from) else { return }
    switch node.kind {
    case .file:
      // A container is authenticated whenever it is read.
      guard !to.hasSuffix(".container") else { return }
      require(!node.isUnsynced, "the content of \(from) before it becomes \(to)")
      // What makes a directory that is exported a repository.
      if to == "metadata/timestamp.json" { requireAll(but: from, before: to) }
    case .symbolicLink(let target): commit(node, from, target)
    case .directory:
      // What has its number can become current by one rename, at any time.
      if let number = to.split(separator: "/").last, from == "generations/\(number).new",
        number.allSatisfy(\.isNumber)
      {
        requireGeneration(node, from, before: to)
      }
    }
  }

  /// Everything that a generation consists of is durable.
  private mutating func requireGeneration(_ generation: DiskModel.Node, _ path: String, before event: String)
  {
    var missing: [String] = []
    generation.forEach(path) { path, node in
      if node.isDirty { missing.append("the content of \(path)") }
      missing += node.pending.map { "the name \(path)/\($0)" }
    }
    violations += missing.map { "not durable at \(event): \($0)" }
    // Before Linux 5.8, syncfs does not report that a write failed; fsync does.
    if let manifest = generation.children["manifest"], manifest.isUnsynced {
      violations.append("the manifest was not flushed by itself")
    }
  }

  /// All names and contents are durable but the file at `path`, which was flushed by itself.
  private mutating func requireAll(but path: String, before name: String) {
    let own = model.place(path)
    var missing: [String] = []
    model.root.forEach("") { folder, node in
      if node.isDirty { missing.append("the content of \(folder)") }
      missing += node.pending.filter { node !== own.directory || $0 != own.name }.map {
        "the name \(folder)/\($0)"
      }
    }
    violations += missing.map { "not durable: \($0), before \(name)" }
  }

  /// `current` is about to be replaced: everything that it will show is durable.
  private mutating func commit(_ link: DiskModel.Node, _ name: String, _ target: String) {
    require(!link.isDirty, "what \(name) names")
    require(model.isDurable(name: name), "the name \(name)")
    require(model.isDurable(name: target), "the name \(target)")
    guard let generation = model.node(target) else {
      violations.append("\(target) does not exist")
      return
    }
    requireGeneration(generation, target, before: "the commit")
    // What says how to go on, or back, once the generation is visible; no network is needed for it.
    if let update = model.node("in-place") {
      update.forEach("in-place") { path, node in
        require(!node.isDirty, "the content of \(path), before the commit")
        for name in node.pending { require(false, "the name \(path)/\(name), before the commit") }
      }
      require(model.isDurable(name: "in-place"), "the name in-place, before the commit")
      require(!(update.children["journal"]?.isUnsynced ?? true), "the journal by itself, before the commit")
    }
  }

  // MARK: - After a call

  private mutating func note(_ call: DiskCall) {
    switch call {
    case .rename(let from, let to):
      guard let from = model.local(from), let to = model.local(to), to != "queue/active" else { return }
      // A name in staging or among the catalogs is worth nothing: what is lost is fetched again.
      let isCache = to.hasPrefix("staging/") || (to.hasPrefix("catalogs/") && from.hasSuffix(".part"))
      // An update in place is durable when the commit, or what gives something up, needs it.
      let isInPlace = to == "in-place" || to.hasPrefix("in-place/files/")
      if !isCache && !isInPlace && !to.hasSuffix(".old") { promised.append(to) }
    case .open(let path, _):
      guard let path = model.local(path), !model.isDurable(name: path) else { return }
      // An operation is reported as queued once it is there.
      if OrderRules.isOperation(path) { promised.append(path) }
    case .remove(let path):
      guard let path = model.local(path) else { return }
      if OrderRules.isOperation(path) || path == "current" || path == "damage" { owed.insert(path) }
    case .write, .punch, .makeDirectory, .link, .symbolicLink, .flush: return
    }
  }

  private static func isOperation(_ path: String) -> Bool {
    path.hasPrefix("queue/") && path.dropFirst("queue/".count).allSatisfy(\.isNumber)
  }
}
