internal import Platform
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
      return refuse(UsageError(error.sentence, command), .lines(verbose: false))
    }
    let style = OutputStyle(
      json: line.has(CommandOption.json.name), quiet: line.has(CommandOption.quiet.name),
      verbose: line.has(CommandOption.verbose.name))
    if let help = help(line) {
      Terminal.write(help)
      return ExitStatus.success.rawValue
    }
    do throws(UsageError) { return try run(Invocation(line), style) } catch { return refuse(error, style) }
  }

  /// The text that the command line asks for instead of a command; nil if it asks for none.
  private static func help(_ line: Arguments) -> String? {
    let word = line.operands.first ?? ""
    if word.utf8.elementsEqual("help".utf8) {
      return line.operands.dropFirst().first.flatMap { Command($0) }.map { Usage.text(of: $0) } ?? Usage.text
    }
    if line.has(CommandOption.help.name) { return Command(word).map { Usage.text(of: $0) } ?? Usage.text }
    return line.has(CommandOption.version.name) ? "tinyupdater \(productVersion)\n" : nil
  }

  private static func refuse(_ error: UsageError, _ style: OutputStyle) -> CInt {
    // A command without a store writes no events.
    let isStandalone = error.command?.description.scope == .standalone
    _ = (isStandalone ? .lines(verbose: false) : style).report(.usage, error.advice)
    return error.command?.usageStatus ?? ExitStatus.usage.rawValue
  }

  private static func run(_ invocation: Invocation, _ style: OutputStyle) throws(UsageError) -> CInt {
    switch invocation.command {
    case .check: try run(CheckCommand(invocation), invocation, style)
    case .plan: try run(PlanCommand(invocation), invocation, style)
    case .apply: try run(ApplyCommand(invocation), invocation, style)
    case .install: try run(InstallCommand(invocation), invocation, style)
    case .uninstall: try run(UninstallCommand(invocation), invocation, style)
    case .cancel: try run(CancelCommand(invocation), invocation, style)
    case .list: try run(ListCommand(invocation), invocation, style)
    case .at: try run(AtCommand(invocation), invocation, style)
    case .groups: try run(GroupsCommand(invocation), invocation, style)
    case .status: try run(StatusCommand(invocation), invocation, style)
    case .history: try run(HistoryCommand(invocation), invocation, style)
    case .verify: try run(VerifyCommand(invocation), invocation, style)
    case .watch: try run(WatchCommand(invocation), invocation, style)
    case .rollback: try run(RollbackCommand(invocation), invocation, style)
    case .confirm: try run(ConfirmCommand(invocation), invocation, style)
    case .boot: try run(BootCommand(invocation), invocation, style)
    case .patch: try PatchCommand(invocation).run()
    case .tuf: try TUFCommand(invocation).run()
    }
  }

  private static func run(
    _ command: some StoreCommand, _ invocation: Invocation, _ style: OutputStyle
  ) -> CInt {
    // One closure for each command, so that what surrounds it is compiled once.
    run(invocation, style) { (session) throws(UpdateError) in try command.run(session) }
  }

  /// Runs a command on the store that the configuration names.
  private static func run(
    _ invocation: Invocation, _ style: OutputStyle, _ body: (Session) throws(UpdateError) -> ExitStatus
  ) -> CInt {
    ThisProcess.shareFiles()
    do throws(UpdateError) {
      var configuration = try Configuration(invocation)
      Log.open(configuration.log, subject: invocation.command.name)
      try configuration.enforceMemoryBudget()
      return try body(Session(configuration, style)).rawValue
    } catch { return style.report(error).rawValue }
  }
}
