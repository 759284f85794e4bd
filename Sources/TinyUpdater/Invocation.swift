internal import Catalog
internal import MapModel
internal import MapTree
internal import Platform
internal import Store
internal import Updater

/// One command with its configuration and its way to speak.
struct Invocation {
  private let line: Arguments
  private let style: OutputStyle

  init(_ line: Arguments) {
    self.line = line
    style = OutputStyle(
      json: line.has("json"), quiet: line.has("quiet"), verbose: line.has("verbose"))
  }

  /// Runs the command and says how it ended.
  func run() -> ExitStatus {
    guard let command = Command(line.operands) else {
      return style.report(.usage, "\(Command.complaint(line.operands)); see tinyupdater --help")
    }
    guard let query = ListingQuery(line, command) else {
      return style.report(.usage, "\(ListingQuery.complaint); see tinyupdater --help")
    }
    ThisProcess.shareFiles()
    do throws(UpdateError) {
      var configuration = try configuration()
      Log.open(configuration.log, subject: line.operands.first ?? "")
      try configuration.enforceMemoryBudget()
      switch command {
      case .check: return try Queries(configuration, style).check()
      case .plan(let operation): return try Queries(configuration, style).plan(operation)
      case .list: return try Views(configuration, style).list(query)
      case .at(let point): return try Views(configuration, style).at(point, query.language)
      case .groups: return try GroupsView(configuration, style).show()
      case .select(let names): return try GroupsView(configuration, style).select(names)
      case .deselect(let names): return try GroupsView(configuration, style).deselect(names)
      case .status: return try Queries(configuration, style).status()
      case .verify: return try Queries(configuration, style).verify()
      case .history(let count): return try HistoryView(configuration, style).write(last: count)
      case .change(let operation):
        return try Changes(configuration, style).run(operation, isWaiting: !line.has("no-wait"))
      case .rollBack: return try Changes(configuration, style).rollBack()
      case .confirm: return try Changes(configuration, style).confirm()
      case .cancel(let ids): return try Changes(configuration, style).cancel(ids)
      case .watch: return try Watch(configuration).run()
      case .boot: return try Boot(configuration, style).run()
      }
    } catch {
      return style.report(error)
    }
  }

  /// Defaults, then the file, then the command line.
  private func configuration() throws(UpdateError) -> Configuration {
    var configuration = Configuration()
    do throws(ConfigurationError) {
      if let path = line.value(of: "config") {
        configuration = try .read(path)
      } else if try Configuration.exists(Configuration.defaultPath) {
        configuration = try .read(Configuration.defaultPath)
      }
      for key in ["root", "repository"] {
        guard let value = line.value(of: key) else { continue }
        if let flaw = configuration.set(key, to: value) { throw .option("--\(key)", flaw) }
      }
    } catch { throw .configuration(error) }
    return configuration
  }
}

/// What the command line asks for.
enum Command {
  case check, status, groups, verify, rollBack, confirm, watch, boot
  case list([String])
  case at(Point)
  case select([String])
  case deselect([String])
  /// The last entries, so many of them, or all.
  case history(Int?)
  case cancel([String])
  case plan(Operation)
  case change(Operation)

  init?(_ operands: [String]) {
    let ids = Array(operands.dropFirst())
    switch operands.first ?? "" {
    case "at":
      guard let point = Command.point(ids) else { return nil }
      self = .at(point)
      return
    case "groups":
      guard let command = Command(groups: ids) else { return nil }
      self = command
      return
    default: break
    }
    guard ids.count <= Limits.identifiers, ids.allSatisfy(Identifier.isPackage) else { return nil }
    switch (operands.first ?? "", ids.isEmpty) {
    case ("check", true): self = .check
    case ("list", _): self = .list(ids)
    case ("status", true): self = .status
    case ("verify", true): self = .verify
    case ("history", true): self = .history(nil)
    case ("history", false):
      guard ids.count == 1, let count = Int(ascii: ids[0].utf8), count > 0 else { return nil }
      self = .history(count)
    case ("rollback", true): self = .rollBack
    case ("confirm", true): self = .confirm
    case ("watch", true): self = .watch
    case ("boot", true): self = .boot
    case ("cancel", _): self = .cancel(ids)
    case ("plan", true): self = .plan(.update())
    case ("plan", false): self = .plan(.install(ids))
    case ("apply", _): self = .change(.update(of: ids))
    case ("install", false): self = .change(.install(ids))
    case ("uninstall", false): self = .change(.uninstall(ids))
    default: return nil
    }
  }

  private init?(groups words: [String]) {
    let names = Array(words.dropFirst())
    guard names.count <= Limits.identifiers, names.allSatisfy(Identifier.isDataGroup) else { return nil }
    switch (words.first ?? "", names.isEmpty) {
    case ("", true): self = .groups
    case ("select", false): self = .select(names)
    case ("deselect", false): self = .deselect(names)
    default: return nil
    }
  }

  private static func point(_ words: [String]) -> Point? {
    guard words.count == 2, let latitude = Degrees(words[0]), let longitude = Degrees(words[1]) else {
      return nil
    }
    return Point(latitude: latitude, longitude: longitude)
  }

  /// What is wrong with operands that are no command.
  static func complaint(_ operands: [String]) -> String {
    guard let word = operands.first else { return "a command is missing" }
    let ids = operands.dropFirst()
    switch word {
    case "at":
      return
        "at needs a latitude from -90 to 90 and a longitude from -180 to 180 in degrees, such as 35.9 14.4"
    case "groups": return "groups takes nothing, or \"select\" or \"deselect\" and the names of data groups"
    default: break
    }
    if let bad = ids.first(where: { !Identifier.isPackage($0) }) {
      return "\"\(bad)\" cannot be the id of a package"
    }
    if word == "patch" || word == "tuf" {
      return "\(word) has options of its own, which follow it: tinyupdater \(word) --help"
    }
    let words: [String] = [
      "check", "list", "status", "verify", "rollback", "confirm", "plan", "apply", "install", "uninstall",
      "cancel", "watch", "boot",
    ]
    if word == "history" { return "history takes the number of entries that it shows, and nothing else" }
    guard words.contains(word) else { return "\"\(word)\" is not a command" }
    if ids.count > Limits.identifiers { return "\(word) takes at most \(Limits.identifiers) ids" }
    return ids.isEmpty ? "\(word) needs the id of a package or region" : "\(word) takes no ids"
  }
}
