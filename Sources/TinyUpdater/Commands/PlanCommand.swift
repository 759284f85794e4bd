internal import MapModel
internal import Platform
internal import Updater

/// `plan`: shows what an operation would download and need.
struct PlanCommand: StoreCommand {
  static var description: CommandDescription {
    .init(
      "plan", operands: .ids, options: [.from],
      summary: "show what apply (or install ID…) would download and need")
  }

  private let operation: Operation

  init(_ invocation: Invocation) throws(UsageError) {
    let ids = try invocation.takeIDs()
    operation = ids.isEmpty ? .update() : .install(ids)
  }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    let console = session.console
    let updater = try Reporter(console).makeUpdater(session.configuration)
    var package = PackagePlan()
    var columns = PlanColumns(console)
    let result = try updater.plan(operation) { entry, payload, options in
      if let finished = package.add(entry, by: payload, options: options) { columns.write(finished) }
    }
    if let last = package.finish() { columns.write(last) }
    let area = try operation == .update() ? updater.planArea() : nil
    guard let target = result.target else {
      console.say("nothing to do")
      return finish(with: area, on: console)
    }
    emit(result, to: target, on: console)
    if result.isRollback {
      console.say("back to \(target.text), whose maps are kept: nothing is downloaded")
    } else {
      say(result, to: target, in: session)
    }
    return finish(with: area, on: console)
  }

  private func finish(with area: AreaChange?, on console: Console) -> ExitStatus {
    if let area, !area.isEmpty {
      console.emit("area") { area.write(to: &$0) }
      row("around", area.sentence, on: console)
    }
    console.emitResult(.success)
    return .success
  }

  private func emit(_ planned: PlannedOperation, to target: Release, on console: Console) {
    console.emit("plan") { json in
      json.add("to", target.json)
      planned.plan.write(to: &json)
      json.add("available", planned.available)
      if let files = planned.files { json.add("availableFiles", files) }
      if !planned.giving.isEmpty { json.add("giving", planned.giving) }
      json.add("room", planned.room.word)
      guard planned.giving.isEmpty else { return }
      if let sufficient = planned.sufficient { json.add("sufficient", sufficient.word) }
      switch planned.room {
      case .withoutStandby(let freed), .withoutPrevious(let freed): json.add("freed", freed)
      case .beside, .inPlace, .none: break
      }
      if let estimate = planned.inPlace {
        json.add("inPlaceDisk", estimate.disk)
        json.add("inPlaceBeside", estimate.beside)
        json.add("inPlaceConsumed", estimate.consuming)
      }
    }
  }

  private func say(_ planned: PlannedOperation, to target: Release, in session: Session) {
    let plan = planned.plan
    let isShort = planned.room == .none && planned.giving.isEmpty
    let console = session.console
    console.say("to \(target.text)")
    row(
      "download",
      "\(ByteCount(plan.download).text) (\(ByteCount(plan.patchDownload).text) by patch, "
        + "\(ByteCount(plan.fullDownload).text) in full; \(ByteCount(plan.downloadWithoutPatches).text) without patches)",
      on: console)
    row(
      "components",
      "\(plan.patched) by patch, \(plan.full) in full, \(plan.kept) unchanged, \(plan.removed) removed",
      on: console)
    row("installed", "\(ByteCount(plan.installedSize).text) afterwards", on: console)
    row(
      "disk, peak",
      "\(ByteCount(plan.peakDisk).text) of \(ByteCount(planned.available).text) available"
        + (isShort && plan.peakDisk > planned.available ? ": NOT ENOUGH" : ""), on: console)
    row(
      "memory", "\(ByteCount(plan.memory).text) of \(ByteCount(session.configuration.memoryBudget).text)",
      on: console)
    for departure in plan.departures { row("", departure.sentence, on: console) }
    if plan.recompressed > 0 {
      row(
        "recompress", "\(ByteCount(plan.recompressed).text) of deflate streams, which takes most of the time",
        on: console)
    }
    sayRoom(planned, on: console)
    if isShort, let files = planned.files, plan.peakFiles > files {
      row("files", "\(plan.peakFiles) of \(files) available (inodes): NOT ENOUGH", on: console)
    }
    if plan.indexSize > 0 {
      let share = plan.includesIndexes ? "of the peak" : "more"
      row(
        "index", "\(ByteCount(plan.indexSize).text) \(share) for indexes, as the publisher estimates",
        on: console)
    }
  }

  /// Writes a label, in 14 columns, and what belongs to it.
  private func row(_ label: String, _ text: String, on console: Console) {
    console.say("\(label.filled(to: 14))\(text)", indent: 14)
  }

  /// What an operation gives up that has no room beside the maps, or what would have to be configured for it.
  private func sayRoom(_ planned: PlannedOperation, on console: Console) {
    guard planned.giving.isEmpty else {
      return row(
        "",
        "fits only without what came by area and is not needed here: apply removes that first "
          + "(\(planned.giving.firstOnes))", on: console)
    }
    if let sufficient = planned.sufficient {
      row("", "low_space = \(sufficient.word) may make room", on: console)
    }
    if case .withoutStandby(let freed) = planned.room {
      row(
        "", "fits only without what is staged: apply removes that first (\(ByteCount(freed).text))",
        on: console)
    }
    if case .withoutPrevious(let freed) = planned.room {
      row(
        "",
        "fits only without the previous maps: apply removes them first (\(ByteCount(freed).text)); there is no "
          + "rollback until it is done", on: console)
    }
    guard let estimate = planned.inPlace else { return }
    let consuming = estimate.consuming
    row(
      "in place",
      "about \(ByteCount(estimate.disk).text): \(estimate.beside) beside their old files, one after the other"
        + (consuming > 0 ? ", \(consuming) in the place of those, if the file system can punch holes" : "")
        + "; apply downloads everything, computes the exact figure, and only then begins; the maps that change are not "
        + "there until it is done, and then there is no rollback", on: console)
  }
}
