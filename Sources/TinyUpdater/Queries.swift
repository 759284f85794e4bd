internal import Catalog
internal import MapModel
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
    let updater = try Reporter(style).makeUpdater(configuration)
    let result = try updater.check()
    for sentence in result.sentences { style.say(sentence) }
    let status = result.status
    let downloaded = updater.downloaded
    style.emitResult(status) { json in
      json.add("downloaded", downloaded)
      json.add("peakResident", MemoryBudget.peakResident ?? 0)
    }
    return status
  }

  // MARK: - plan

  func plan(_ operation: Operation) throws(UpdateError) -> ExitStatus {
    let updater = try Reporter(style).makeUpdater(configuration)
    var package = PackagePlan()
    var columns = PlanColumns(style)
    let result = try updater.plan(operation) { entry, payload, ways in
      if let finished = package.add(entry, payload, ways) { columns.write(finished) }
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
      if let files = result.files { json.add("availableFiles", files) }
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
    if let files = result.files, plan.peakFiles > files {
      style.say("files         \(plan.peakFiles) of \(files) available (inodes): NOT ENOUGH")
    }
    if plan.indexSize > 0 {
      let share = plan.includesIndexes ? "of the peak" : "more"
      style.say(
        "index         \(ByteCount(plan.indexSize).text) \(share) for indexes, as the publisher estimates")
    }
    style.emitResult(.success)
    return .success
  }

  // MARK: - status

  func status() throws(UpdateError) -> ExitStatus {
    try writeStatus()
    style.emitResult(.success)
    return .success
  }

  private func writeStatus() throws(UpdateError) {
    let store: Store
    do throws(StoreError) { store = try Store(opening: configuration.root, for: .read) } catch {
      guard case .missing = error else { throw UpdateError(error) }
      style.say("nothing is installed")
      return style.emit("status") { json in json.add("components", 0) }
    }
    do throws(StoreError) { try StatusView(store, style).write() } catch { throw UpdateError(error) }
  }

  /// What `status` and `list` say, as far as no network is needed for it.
  func writeState() throws(UpdateError) {
    try writeStatus()
    try Views(configuration, style).writeState()
  }

  // MARK: - verify

  func verify() throws(UpdateError) -> ExitStatus {
    var (count, damaged) = (0, 0)
    do throws(StoreError) {
      let store = try Store(opening: configuration.root, for: .read)
      guard let generation = try store.holdCurrent() else {
        style.say("nothing is installed")
        style.emitResult(.success)
        return .success
      }
      var manifest = try generation.manifest()
      while let component = try manifest.next() {
        count += 1
        let hasIndex = try generation.isIndexIntact(component, shouldStop: { StopSignal.isRaised })
        let isIntact = try generation.isIntact(component, shouldStop: { StopSignal.isRaised }) && hasIndex
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
    } catch { throw UpdateError(error) }
    guard damaged == 0 else { throw .damaged(count: damaged) }
    style.say(count == 1 ? "the one component is intact" : "all \(count) components are intact")
    style.emitResult(.success) { json in json.add("components", count) }
    return .success
  }
}

extension CheckResult {
  fileprivate var status: ExitStatus {
    if isUpdateAvailable { return .updateAvailable }
    return announced == nil ? .success : .applicationTooOld
  }

  fileprivate var sentences: [String] {
    var sentences: [String] = []
    switch (installed, newest) {
    case (.some(let installed), .some(let newest)) where isUpdateAvailable:
      sentences.append("update available: from \(installed.text) to \(newest.text)")
    case (.some(let installed), _):
      sentences.append(
        "\(installed.text) is the newest" + (announced == nil ? "" : " that this device can use"))
    case (.none, .some(let newest)): sentences.append("nothing is installed; the newest is \(newest.text)")
    case (.none, .none): sentences.append("nothing is installed")
    }
    if let announced { sentences.append(announced.sentence) }
    return sentences
  }
}

extension AnnouncedRelease {
  /// What a person has to know.
  var sentence: String {
    "\(release.text) needs version \(minimumApplication) of the application"
  }
}
