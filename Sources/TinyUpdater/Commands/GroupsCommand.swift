internal import MapModel
internal import MapTree
internal import Platform
internal import Store
internal import Updater

/// `groups`: shows the data groups, or changes which of them are installed.
struct GroupsCommand: StoreCommand {
  static var description: CommandDescription {
    .init("groups", operands: .groups, summary: "show the data groups, or change which of them are installed")
  }

  private enum Action {
    case show
    case select([DataGroup])
    case deselect([DataGroup])
  }

  private let action: Action

  init(_ invocation: Invocation) throws(UsageError) {
    let names = invocation.operands.dropFirst()
    let groups = names.compactMap { DataGroup($0) }
    let isValid = names.count <= UpdateLimits.identifiers && groups.count == names.count
    switch (invocation.operands.first ?? "", names.isEmpty, isValid) {
    case ("", true, _): action = .show
    case ("select", false, true): action = .select(groups)
    case ("deselect", false, true): action = .deselect(groups)
    default: throw invocation.error("usage: \(invocation.command.description.usage)")
    }
  }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    let root = session.configuration.root
    switch action {
    case .show: show(try GroupSelection.show(root), on: session.console)
    case .select(let groups):
      report(try GroupSelection.change(root, selecting: groups), on: session.console)
    case .deselect(let groups):
      report(try GroupSelection.change(root, deselecting: groups), on: session.console)
    }
    return .success
  }

  private func show(_ groups: [KnownGroup], on console: Console) {
    let style = TextStyle()
    let columns = style.columns ?? 80
    // Beside the figures; a longer name has a line of its own.
    let width = min(24, max(10, columns - 30))
    for group in groups {
      console.emit("group") { json in
        json.add("name", group.name)
        json.add("selected", group.isSelected)
        json.add("packages", group.packages)
        json.add("size", group.size)
      }
    }
    if groups.isEmpty {
      console.say(
        "no data groups are known yet, and all are selected; run \"tinyupdater check\" to learn them")
    } else {
      console.say("\("data group".filled(to: width)) selected  packages      size")
    }
    for group in groups {
      let name = group.name.text.printable().idColumn(of: width, in: columns, mark: style.cut).text
      console.say(
        "\(name) \((group.isSelected ? "yes" : "no").filled(to: 8)) \("\(group.packages)".padded(to: 9)) "
          + ByteCount(group.size).text.padded(to: 9))
    }
    console.emitResult(.success)
  }

  private func report(_ groups: DataGroups, on console: Console) {
    let text =
      groups.deselected.isEmpty
      ? "all data groups are selected" : "not selected: \(groups.deselected.map { $0.text }.joined(by: ", "))"
    console.conclude("groups", "\(text); installed packages follow with the next apply")
    console.emitResult(.success) { json in json.add("deselected", groups.deselected) }
  }
}
