internal import Catalog
internal import Platform
internal import Store
internal import Updater

/// The commands that only look.
struct Queries {
  private let configuration: Configuration
  private let style: OutputStyle

  init(_ configuration: Configuration, _ style: OutputStyle) {
    self.configuration = configuration
    self.style = style
  }

  // MARK: - check

  func check() throws(UpdateError) -> ExitStatus {
    var updater = try Updater(configuration, Reporter(style))
    let installed = try updater.installedTarget()?.release
    let newest = try updater.newestRelease()
    let isAvailable = installed.map { $0.number < newest.number } ?? false
    style.emit("check") { json in
      json.add("available", isAvailable)
      if let installed { json.add("from", installed.json) }
      json.add("to", newest.json)
    }
    if let installed {
      style.say(
        isAvailable
          ? "update available: from \(installed.text) to \(newest.text)" : "\(installed.text) is the newest")
    } else {
      style.say("nothing is installed; the newest is \(newest.text)")
    }
    let status: ExitStatus = isAvailable ? .updateAvailable : .success
    let downloaded = updater.downloaded
    style.emitResult(status) { json in
      json.add("downloaded", downloaded)
      json.add("peakResident", MemoryBudget.peakResident ?? 0)
    }
    return status
  }

  // MARK: - plan

  func plan(_ operation: Operation) throws(UpdateError) -> ExitStatus {
    var updater = try Updater(configuration, Reporter(style))
    var package = PackagePlan()
    var columns = PlanColumns(style)
    let result = try updater.plan(operation) { entry, payload in
      if let finished = package.add(entry, payload) { columns.write(finished) }
    }
    if let last = package.finish() { columns.write(last) }
    guard let target = result.target else {
      style.say("nothing to do")
      style.emitResult(.success)
      return .success
    }
    let plan = result.plan
    style.emit("plan") { json in
      json.add("to", target.json)
      plan.write(to: &json)
      json.add("available", result.available)
    }
    let fits = plan.peakDisk <= result.available
    style.say(
      """
      to \(target.text)
      download      \(ByteCount(plan.download).text) (\(ByteCount(plan.patchDownload).text) by patch, \
      \(ByteCount(plan.fullDownload).text) in full; \(ByteCount(plan.downloadWithoutPatches).text) without patches)
      components    \(plan.patched) by patch, \(plan.full) in full, \(plan.kept) unchanged, \(plan.removed) removed
      installed     \(ByteCount(plan.installedSize).text) afterwards
      disk, peak    \(ByteCount(plan.peakDisk).text) of \(ByteCount(result.available).text) available\
      \(fits ? "" : ": NOT ENOUGH")
      memory        \(ByteCount(plan.memory).text) of \(ByteCount(configuration.memoryBudget).text)
      """)
    if plan.indexSize > 0 {
      let share = plan.includesIndexes ? "of the peak" : "more"
      style.say(
        "index         \(ByteCount(plan.indexSize).text) \(share) for indexes, as the publisher estimates")
    }
    style.emitResult(.success)
    return .success
  }

  // MARK: - list

  func list() throws(UpdateError) -> ExitStatus {
    var updater = try Updater(configuration, Reporter(style))
    var package: PackageState?
    let style = style
    let release = try updater.list { step in
      guard let next = PackageState(step) else { return }
      guard let current = package, current.id == next.id else {
        package?.write(style)
        package = next
        return
      }
      package = current.merged(with: next)
    }
    package?.write(style)
    style.say(release.text)
    style.emitResult(.success) { json in json.add("release", release.json) }
    return .success
  }

  // MARK: - status

  func status() throws(UpdateError) -> ExitStatus {
    let store: Store
    do throws(StoreError) { store = try Store(opening: configuration.root, for: .read) } catch {
      guard case .missing = error else { throw .store(error) }
      style.say("nothing is installed")
      style.emit("status") { json in json.add("components", 0) }
      style.emitResult(.success)
      return .success
    }
    do throws(StoreError) { try StatusView(store, style).write() } catch { throw .store(error) }
    style.emitResult(.success)
    return .success
  }

  // MARK: - verify

  func verify() throws(UpdateError) -> ExitStatus {
    var (count, damaged) = (0, 0)
    do throws(StoreError) {
      let store = try Store(opening: configuration.root, for: .read)
      guard let generation = try store.current() else {
        style.say("nothing is installed")
        style.emitResult(.success)
        return .success
      }
      try generation.hold()
      var manifest = try generation.manifest()
      while let component = try manifest.next() {
        count += 1
        let hasIndex = try generation.isIndexIntact(component)
        let isIntact = try generation.isIntact(component) && hasIndex
        style.emit("verified") { json in
          json.add("id", component.id)
          json.add("group", component.dataGroup)
          json.add("intact", isIntact)
        }
        guard !isIntact else { continue }
        damaged += 1
        let path = hasIndex ? component.path : component.indexPath
        if style != .json { Terminal.writeLine("tinyupdater: \(path) is damaged", to: .error) }
        Log.add(.error, "\(path) is damaged", isSaid: true)
      }
    } catch { throw error == .cancelled ? .cancelled : .store(error) }
    guard damaged == 0 else { throw .damaged(count: damaged) }
    style.say(count == 1 ? "the one component is intact" : "all \(count) components are intact")
    style.emitResult(.success) { json in json.add("components", count) }
    return .success
  }
}
