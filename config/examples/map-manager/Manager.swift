import MapLoader

/// What the program waits for.
enum Event: Sendable {
  case keys([UInt8])
  case resized, stopped
  case change(MapChange)
  case maps(MapTree, MapStatus)
  case groups([DataGroup])
  case checked(UpdateCheck)
  case plan(UpdatePlan?)
  case message(String)
}

/// What keys and events do.
///
/// Whatever takes time is asked in the background, and its answer is another event.
struct Manager {
  private(set) var model = Model()
  let loader: MapLoader
  let sender: AsyncStream<Event>.Continuation

  /// Takes in what came from elsewhere.
  mutating func take(_ event: Event) {
    switch event {
    case .keys, .resized, .stopped: break
    case .change(let change): if model.take(change) { refresh() }
    case .maps(let tree, let status): model.show(tree, status)
    case .groups(let groups): model.show(groups)
    case .message(let text): model.message = text
    case .checked(let check):
      model.message = check.isAvailable ? "There is an update: press u." : "The maps are up to date."
      refresh()
    case .plan(nil): model.message = "The maps are up to date."
    case .plan(.some(let plan)):
      model.message = "Update to \(plan.release?.label ?? "")? \(bytes(plan.downloadSize)) to download."
      model.page = .question(.update)
      refresh()
    }
  }

  /// Asks for the tree of the present view, and how everything is.
  private func refresh() {
    let view = model.view
    ask { [loader] () throws(MapError) in
      .maps(try await loader.tree(view), try await loader.status())
    }
  }

  /// What is asked before it is done.
  private mutating func answer(_ question: Model.Question) {
    switch question {
    case .install(let id):
      ask { [loader] () throws(MapError) in
        try await loader.install([id]); return nil
      }
    case .uninstall(let id):
      ask { [loader] () throws(MapError) in
        try await loader.uninstall([id]); return nil
      }
    case .update:
      ask { [loader] () throws(MapError) in
        try await loader.update(); return nil
      }
    }
    model.message = ""
  }

  /// Returns false when the program is to end.
  mutating func press(_ key: Terminal.Key) -> Bool {
    if case .question(let question) = model.page {
      model.page = .maps
      if key == .character("y") { answer(question) } else { model.message = "" }
      return true
    }
    model.message = ""
    switch (key, model.page) {
    case (.character("q"), _): return false
    case (.up, _), (.character("k"), _): model.move(by: -1)
    case (.down, _), (.character("j"), _): model.move(by: 1)
    case (.pageUp, _): model.move(by: -10)
    case (.pageDown, _): model.move(by: 10)
    case (.character("?"), _): model.page = .help
    case (_, .help), (.escape, _), (.character("g"), .groups):
      model.page = .maps
      model.move(by: 0)
    case (.character(" "), .groups), (.enter, .groups):
      guard let group = model.selectedGroup else { return true }
      ask { [loader] () throws(MapError) in
        try await group.isSelected ? loader.deselect([group.name]) : loader.select([group.name])
        return .groups(try await loader.dataGroups())
      }
    case (.character("g"), _):
      model.page = .groups
      model.select(0)
      ask { [loader] () throws(MapError) in .groups(try await loader.dataGroups()) }
    case (.enter, _): if let node = model.selectedNode { model.toggle(node) }
    case (.character("v"), _):
      model.view = model.view == .fine ? .composite : .fine
      refresh()
    case (.character("r"), _):
      model.message = "Looking for an update…"
      ask { [loader] () throws(MapError) in
        .checked(try await loader.checkForUpdate())
      }
    case (.character("u"), _):
      model.message = "Looking at the update…"
      ask { [loader] () throws(MapError) in .plan(try await loader.planUpdate()) }
    default: pressNode(key)
    }
    return true
  }

  /// Keys that are about the selected node.
  private mutating func pressNode(_ key: Terminal.Key) {
    guard let node = model.selectedNode else { return }
    switch key {
    case .character("i"):
      if node.state == .installed {
        model.message = "\(node.id) is installed."
      } else {
        model.page = .question(.install(node.id))
      }
    case .character("d"):
      if node.installedSize == 0 {
        model.message = "\(node.id) is not installed."
      } else {
        model.page = .question(.uninstall(node.id))
      }
    case .character("c"):
      let running = model.activity(of: node) == nil
      ask { [loader] () throws(MapError) in
        try await loader.cancel(running ? [] : [node.id])
        return .message("Cancelled.")
      }
    default: break
    }
  }

  /// Asks in the background; what fails is a message.
  private func ask(_ body: @escaping @Sendable () async throws(MapError) -> Event?) {
    Task { [sender] in
      do throws(MapError) { if let event = try await body() { sender.yield(event) } } catch {
        if error.result != .operationCancelled { sender.yield(.message(error.sentence)) }
      }
    }
  }
}
