internal import Catalog
internal import MapTree
internal import Platform
internal import Store
internal import Updater

/// `groups`: which data groups there are, and which of them are wanted.
struct GroupsView {
  private let configuration: Configuration
  private let style: OutputStyle

  init(_ configuration: Configuration, _ style: OutputStyle) {
    self.configuration = configuration
    self.style = style
  }

  func show() throws(UpdateError) -> ExitStatus {
    let groups: [KnownGroup]
    do throws(MapTreeError) { groups = try GroupSelection.show(configuration.root) } catch {
      throw UpdateError(error)
    }
    for group in groups {
      style.emit("group") { json in
        json.add("name", group.name)
        json.add("selected", group.isSelected)
        json.add("packages", Int(group.packages))
        json.add("size", group.size)
      }
    }
    if groups.isEmpty {
      style.say("no data group is known yet, and all are selected; \"tinyupdater check\" asks what there is")
    } else {
      style.say("\("data group".filled(to: 24)) selected  packages       size")
    }
    for group in groups {
      let name = group.name.printable().filled(to: 24)
      style.say(
        "\(name) \((group.isSelected ? "yes" : "no").filled(to: 8)) \("\(group.packages)".padded(to: 9)) "
          + ByteCount(group.size).text.padded(to: 10))
    }
    style.emitResult(.success)
    return .success
  }

  func select(_ names: [String]) throws(UpdateError) -> ExitStatus {
    try change(selecting: names)
  }

  func deselect(_ names: [String]) throws(UpdateError) -> ExitStatus {
    try change(deselecting: names)
  }

  private func change(
    selecting selected: [String] = [], deselecting deselected: [String] = []
  ) throws(UpdateError) -> ExitStatus {
    let groups: DataGroups
    do throws(MapTreeError) {
      groups = try GroupSelection.change(configuration.root, selecting: selected, deselecting: deselected)
    } catch { throw UpdateError(error) }
    let text =
      groups.deselected.isEmpty
      ? "all data groups are selected" : "not selected: \(groups.deselected.joined(by: ", "))"
    style.say("\(text); installed packages follow with the next apply")
    style.emitResult(.success) { json in json.add("deselected", groups.deselected) }
    return .success
  }
}
