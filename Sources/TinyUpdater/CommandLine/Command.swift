internal import Platform
internal import Updater

/// A command of the program: one row of the table that usage text, parsing and completions are made from.
enum Command: CaseIterable, Equatable {
  case check, plan, apply, install, uninstall, repair, cancel
  case list, at, near, along, polygons, position, groups, status, history, verify, watch, serve
  case activate, rollback, confirm, boot, provision, export, support
  case patch

  /// Nil if there is no such command.
  init?(_ name: String) {
    for command in Command.allCases where command.name.utf8.elementsEqual(name.utf8) {
      self = command
      return
    }
    return nil
  }

  /// What a user means who says it in other words, or mistypes it; nil if that cannot be told.
  static func meant(by word: String) -> Command? {
    switch word {
    case "update", "upgrade": return .apply
    case "remove", "delete": return .uninstall
    case "add", "download": return .install
    default: return Spelling.closest(to: word, among: allCases.map { $0.name }).flatMap { Command($0) }
    }
  }

  var name: String { description.name }

  var description: CommandDescription {
    switch self {
    case .check: CheckCommand.description
    case .plan: PlanCommand.description
    case .apply: ApplyCommand.description
    case .install: InstallCommand.description
    case .uninstall: UninstallCommand.description
    case .repair: RepairCommand.description
    case .cancel: CancelCommand.description
    case .list: ListCommand.description
    case .at: AtCommand.description
    case .near: NearCommand.nearDescription
    case .along: NearCommand.alongDescription
    case .polygons: PolygonsCommand.description
    case .position: PositionCommand.description
    case .groups: GroupsCommand.description
    case .status: StatusCommand.description
    case .history: HistoryCommand.description
    case .verify: VerifyCommand.description
    case .watch: WatchCommand.description
    case .serve: ServeCommand.description
    case .activate: ActivateCommand.description
    case .rollback: RollbackCommand.description
    case .confirm: ConfirmCommand.description
    case .boot: BootCommand.description
    case .provision: ProvisionCommand.description
    case .export: ExportCommand.description
    case .support: SupportCommand.description
    case .patch: PatchCommand.description
    }
  }
}
