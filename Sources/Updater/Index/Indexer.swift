internal import Catalog
internal import Crypto
internal import MapModel
internal import Platform
internal import Store

/// Has indexes made of staged components, one at a time, while the next one is downloaded.
///
/// A command that still runs when this value goes is killed.
struct Indexer: ~Copyable {
  private let settings: IndexSettings
  private let release: Release
  /// Bytes that stay free on the file system.
  private let reserve: UInt64
  private let events: ActivityPublisher
  private let heartbeat: Heartbeat
  private var running: RunningCommand?
  /// The component that may have temporary files.
  private var unfinished: Digest?
  /// Bytes of the indexes that were made so far.
  private(set) var size: UInt64 = 0

  init(
    _ configuration: Configuration, release: Release, events: ActivityPublisher, heartbeat: Heartbeat
  ) throws(Failure) {
    reserve = try configuration.reserve()
    settings = configuration.index
    self.release = release
    self.events = events
    self.heartbeat = heartbeat
    running = nil
  }

  /// The running index command.
  private struct RunningCommand: ~Copyable {
    let entry: CatalogEntry
    /// Bytes that it might use.
    let available: UInt64
    let output: File
    var child: ChildProgram
  }

  /// Starts with a staged component, once the one before is ready.
  ///
  /// Does nothing where no index is to be made: there is no command, or it has no use for the component, or an
  /// interrupted run has left its index.
  mutating func start(_ entry: CatalogEntry, in store: borrowing LockedStore) throws(Failure) {
    guard let command = settings.command, entry.description.indexSize > 0, !entry.name.file.isTree else {
      return
    }
    try finish(store)
    let isReady: Bool
    let available: UInt64
    isReady = try store.staging.reading.hasIndex(entry.digest)
    if !isReady { try store.staging.removePartialIndexes(entry.digest) }
    let space = try store.reading.space().available
    available = space - min(space, reserve)
    guard !isReady else { return }
    unfinished = entry.digest
    let output = try store.staging.openIndexLog(entry.digest)
    let paths = store.staging.indexPaths(entry.digest)
    let child = try start(
      command, arguments: [paths.component, paths.output], for: entry, output: output, available: available)
    running = RunningCommand(entry: entry, available: available, output: output, child: child)
    events.publish(.component(entry.name, .indexing))
  }

  private func start(
    _ command: String, arguments: [String], for entry: CatalogEntry, output: borrowing File,
    available: UInt64
  ) throws(Failure) -> ChildProgram {
    let variables = [
      (name: "TINYUPDATER_ID", value: entry.name.id.text),
      (name: "TINYUPDATER_GROUP", value: entry.name.dataGroup.text),
      (name: "TINYUPDATER_PATH", value: entry.name.path),
      (name: "TINYUPDATER_RELEASE", value: "\(release.number)"),
    ]
    do throws(Failure) {
      return try ChildProgram(
        starting: command, arguments: arguments, settings: variables, output: output,
        limits: .init(memory: settings.memory, seconds: settings.seconds, fileSize: available))
    } catch {
      let cause = IndexFailure.notStarted(cause: error.errno?.sentence ?? error.sentence)
      throw .index(component: entry.name.path, command: command, cause: cause.sentence)
    }
  }

  /// Waits until the index that is being made is ready, if there is one, and takes it over.
  mutating func finish(_ store: borrowing LockedStore) throws(Failure) {
    guard var run = running.take() else { return }
    guard let ending = wait(for: &run) else {
      run.child.kill()
      throw .cancelled
    }
    let failure = failure(ending)
    Indexer.log(run, in: store, as: failure == nil ? .info : .error)
    if let failure { throw try cause(of: failure, during: run, in: store, ending: ending) }
    let made: UInt64?
    do throws(Failure) {
      made = try store.staging.keepIndex(run.entry.digest)
      try store.staging.removePartialIndexes(run.entry.digest)
    } catch {
      if case .file(let inner) = error, inner.errno == .invalid {
        throw .index(
          component: run.entry.name.path, command: settings.command ?? "", cause: IndexFailure.noFile.sentence
        )
      }
      throw error
    }
    unfinished = nil
    size += made ?? 0
    events.publish(.component(run.entry.name, .indexed(size: made ?? 0)))
  }

  /// Ends what still runs, and removes temporary files.
  mutating func abandon(_ store: borrowing LockedStore) {
    if var run = running.take() { run.child.kill() }
    guard let unfinished else { return }
    do throws(Failure) { try store.staging.removePartialIndexes(unfinished) } catch {}
  }

  /// Nil if the work is to stop before it has ended.
  private func wait(for run: inout RunningCommand) -> ChildProgram.Ending? {
    while true {
      if let ending = run.child.poll() { return ending }
      if heartbeat.shouldStop() { return nil }
      Indexer.shorten(run.output)
      Clock.sleep(milliseconds: 20)
    }
  }

  /// Discards the output of a talkative command before it takes the space of the maps.
  private static func shorten(_ output: borrowing File) {
    do throws(Failure) {
      if try output.size() > UpdateLimits.indexLogFile { try output.truncate(to: 0) }
    } catch {}
  }

  private func failure(_ ending: ChildProgram.Ending) -> IndexFailure? {
    switch ending {
    case .exited(0): nil
    case .exited(let code): .exited(code)
    case .killed(ChildProgram.processorTimeSignal), .overTime: .overTime(seconds: settings.seconds)
    case .killed(let signal): .killed(signal: ChildProgram.name(ofSignal: signal))
    }
  }

  /// Decides whether it failed because of the space.
  private func cause(
    of failure: IndexFailure, during run: borrowing RunningCommand, in store: borrowing LockedStore,
    ending: ChildProgram.Ending
  ) throws(Failure) -> Failure {
    let left = try store.reading.space().available
    let written = try store.staging.reading.partialIndex(run.entry.digest)
    let isFull = left - min(left, reserve) < UpdateLimits.nearlyFull
    guard
      isFull || ending == .exited(ResultCode.outOfSpace.rawValue)
        || ending == .killed(signal: ChildProgram.fileSizeSignal)
    else {
      return .index(
        component: run.entry.name.path, command: settings.command ?? "", cause: failure.sentence)
    }
    // How much it would have written is unknown: more than it did, and at least what the publisher estimates.
    let needed = max(run.entry.description.indexSize, min(max(written, run.available), .max - 1) + 1)
    return .noSpaceForIndex(component: run.entry.name.path, needed: needed, available: run.available)
  }

  /// Passes the end of the command's output to the log, line by line.
  private static func log(
    _ run: borrowing RunningCommand, in store: borrowing LockedStore, as level: Log.Level
  ) {
    do throws(Failure) {
      let bytes = try store.staging.reading.endOfIndexLog(run.entry.digest, upTo: UpdateLimits.indexLog)
      for line in String(decoding: bytes, as: UTF8.self).parts(separatedBy: "\n") where !line.isEmpty {
        Log.add(level, text: "index of \(run.entry.name.path): \(line)")
      }
    } catch {}
  }
}
