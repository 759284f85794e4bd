internal import Platform
internal import Store
internal import Updater

/// Runs one command line.
enum Program {
  /// Returns the exit status of the process.
  static func run(count: CInt, values: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> CInt {
    let line: Arguments
    do throws(ArgumentError) {
      line = try Arguments(
        count: count, values: values, accepting: CommandOption.allCases.map { $0.argument })
    } catch {
      let command = error.operands.first.flatMap { Command($0) }
      return refuse(UsageError(error.sentence + hint(error), command: command), on: .lines(verbose: false))
    }
    let console = Console(
      json: line.has(CommandOption.json.name), quiet: line.has(CommandOption.quiet.name),
      verbose: line.has(CommandOption.verbose.name))
    if let help = help(line) {
      Terminal.write(help)
      return ExitStatus.success.rawValue
    }
    do throws(UsageError) { return try run(Invocation(line), on: console) } catch {
      return refuse(error, on: console)
    }
  }

  /// The text that the command line asks for instead of a command; nil if it asks for none.
  private static func help(_ line: Arguments) -> String? {
    let word = line.operands.first ?? ""
    if word.utf8.elementsEqual("help".utf8) {
      return line.operands.dropFirst().first.flatMap { Command($0) }.map { Usage.text(of: $0) } ?? Usage.text
    }
    if line.has(CommandOption.help.name) { return Command(word).map { Usage.text(of: $0) } ?? Usage.text }
    if line.has(CommandOption.licenses.name) { return Licences.text + Licences.ofDevice }
    return line.has(CommandOption.version.name) ? "tinyupdater \(productVersion)\n" : nil
  }

  /// The option that was meant, if that can be told.
  private static func hint(_ error: ArgumentError) -> String {
    guard case .unknownOption(let text) = error.flaw, text.utf8.starts(with: "--".utf8) else { return "" }
    let word = String(decoding: text.utf8.dropFirst(2).prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
    let option = Spelling.closest(to: word, among: CommandOption.allCases.map { $0.name })
    return option.map { "; did you mean --\($0)?" } ?? ""
  }

  private static func refuse(_ error: UsageError, on console: Console) -> CInt {
    // A command without a store writes no events.
    let isStandalone = error.command?.description.scope == .standalone
    _ = (isStandalone ? .lines(verbose: false) : console).report(.usage, sentence: error.advice)
    return ExitStatus.usage.rawValue
  }

  private static func run(_ invocation: Invocation, on console: Console) throws(UsageError) -> CInt {
    switch invocation.command {
    case .check: try run(CheckCommand(invocation), of: invocation, on: console)
    case .plan: try run(PlanCommand(invocation), of: invocation, on: console)
    case .apply: try run(ApplyCommand.make(invocation), of: invocation, on: console)
    case .install: try run(InstallCommand.make(invocation), of: invocation, on: console)
    case .uninstall: try run(UninstallCommand.make(invocation), of: invocation, on: console)
    case .repair: try run(RepairCommand.make(invocation), of: invocation, on: console)
    case .cancel: try run(CancelCommand(invocation), of: invocation, on: console)
    case .list: try run(ListCommand(invocation), of: invocation, on: console)
    case .at: try run(AtCommand(invocation), of: invocation, on: console)
    case .near: try run(NearCommand(near: invocation), of: invocation, on: console)
    case .along: try run(NearCommand(along: invocation), of: invocation, on: console)
    case .polygons: try run(PolygonsCommand(invocation), of: invocation, on: console)
    case .position: try run(PositionCommand(invocation), of: invocation, on: console)
    case .groups: try run(GroupsCommand(invocation), of: invocation, on: console)
    case .status: try run(StatusCommand(invocation), of: invocation, on: console)
    case .history: try run(HistoryCommand(invocation), of: invocation, on: console)
    case .verify: try run(VerifyCommand(invocation), of: invocation, on: console)
    case .watch: try run(WatchCommand(invocation), of: invocation, on: console)
    case .serve: try run(ServeCommand(invocation), of: invocation, on: console)
    case .activate: try run(ActivateCommand(invocation), of: invocation, on: console)
    case .rollback: try run(RollbackCommand(invocation), of: invocation, on: console)
    case .confirm: try run(ConfirmCommand(invocation), of: invocation, on: console)
    case .boot: try run(BootCommand(invocation), of: invocation, on: console)
    case .provision: try run(ProvisionCommand(invocation), of: invocation, on: console)
    case .export: try run(ExportCommand(invocation), of: invocation, on: console)
    case .support: try run(SupportCommand(invocation), of: invocation, on: console)
    case .patch: try PatchCommand(invocation).run()
    }
  }

  private static func run(
    _ command: some StoreCommand, of invocation: Invocation, on console: Console
  ) -> CInt {
    // One closure for each command, so that what surrounds it is compiled once.
    run(invocation, on: console) { (session) throws(Failure) in try command.run(session) }
  }

  /// Runs a command on the store that the configuration names.
  private static func run(
    _ invocation: Invocation, on console: Console, _ body: (Session) throws(Failure) -> ExitStatus
  ) -> CInt {
    ThisProcess.shareFiles()
    do throws(Failure) {
      var configuration = try Configuration(invocation)
      Log.open(configuration.log, subject: invocation.command.name)
      try configuration.enforceMemoryBudget()
      try StoreFormat.check(configuration.root)
      if invocation.has(.spread), !SpreadDelay.pass(upTo: configuration.spread, on: console) {
        return console.report(.cancelled, sentence: "stopped before it began; nothing was changed").rawValue
      }
      let session = Session(configuration, console: console)
      let status: ExitStatus
      do throws(Failure) { status = try body(session) } catch { status = console.report(error) }
      session.sendReport()
      return status.rawValue
    } catch { return console.report(error).rawValue }
  }
}
