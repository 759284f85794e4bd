import Catalog
import Crypto
import DeltaCreate
import MapModel
import Platform
import Store
import TestSupport
import Testing

import class Foundation.Thread

@testable import Updater

/// Operations that are stopped in the middle, and what is left of them.
@Suite("Stopping")
struct StoppingTests {
  private let repository: TestRepository
  private let device: TestDevice
  private let maps: [String: [UInt8]] = [
    "a base": mapBytes(20_000, seed: 1), "b base": mapBytes(300_000, seed: 2),
    "c base": mapBytes(9_000, seed: 3),
  ]

  init() throws {
    repository = try TestRepository()
    device = try TestDevice(repository)
    try repository.publish(maps)
  }

  /// Does `action` with the queue as soon as the component `id` is downloaded.
  private func whenDownloading(_ id: PackageID, _ action: @escaping (borrowing OperationQueue) throws -> Void)
  {
    let root = device.configuration.root
    var isDone = false
    device.onEvent = { event in
      guard case .component(let name, .downloading) = event, name.id == id, !isDone else { return }
      isDone = true
      do { try action(try OperationQueue(making: root)) } catch { Issue.record(error) }
    }
  }

  private func operations() throws -> [Operation] {
    try OperationQueue(making: device.configuration.root).operations().map { $0.operation }
  }

  @Test("a cancelled operation leaves the queue, staging and the maps as if it had not been")
  func cancelled() throws {
    whenDownloading("b") { queue in
      let number = try #require(try queue.operations().first?.number)
      _ = try queue.requestCancellation(of: number, below: [])
    }
    let report = try #require(try device.run(.install(["a", "b", "c"])))
    #expect(report.ending == .failed(.cancelled))
    #expect(try operations() == [] && device.names("staging") == [] && device.installed() == [:])
    #expect(try device.history().last?.result == "OperationCancelled")
    #expect(device.events.last == "operation failed")
    let number = try #require(report.operation?.number)
    let queue = try OperationQueue(making: device.configuration.root)
    #expect(try queue.result(number)?.exitCode == ResultCode.cancelled.rawValue)
  }

  @Test("a part that is cancelled is taken out of the operation, which continues with the rest")
  func narrowed() throws {
    whenDownloading("b") { queue in
      let number = try #require(try queue.operations().first?.number)
      _ = try queue.requestCancellation(of: number, below: ["b"])
    }
    let updater = try device.makeUpdater()
    _ = try updater.enqueue(.install(["a", "b", "c"]))
    #expect(try updater.runNextOperation()?.ending == .narrowed)
    #expect(try operations() == [.install(["a", "c"])])
    #expect(try device.names("staging").contains(try #require(repository.entries["a base"]).digest.hex))
    #expect(try updater.runNextOperation()?.ending == .done(.changed(from: nil, to: repository.releases[0])))
    #expect(try device.installed() == maps.filter { $0.key != "b base" })
  }

  @Test(
    "a part that was taken out counts as cancelled even if the rest ended before the asking process looked; what comes too late does not",
    arguments: [true, false])
  func cancelledMeanwhile(isNarrowed: Bool) throws {
    let updater = try device.makeUpdater()
    let number = try updater.enqueue(.install(["a", "b"]))
    let root = device.configuration.root
    // Another process holds the store, and narrows or ends the operation as soon as it sees the request.
    let store = try LockedStore(opening: root)
    Thread.detachNewThread {
      do {
        let queue = try OperationQueue(making: root)
        while try queue.cancellation(of: number) == nil { Clock.sleep(milliseconds: 1) }
        if isNarrowed { try queue.replace(number, with: .install(["a"])) }
        try queue.finish(number, as: OperationResult(exitCode: 0, sentence: "done"))
      } catch { Issue.record(error) }
    }
    let cancellation = try updater.cancel(["b"])
    withExtendedLifetime(store) {}
    #expect(cancellation.cancelled == (isNarrowed ? [number] : []))
    #expect(cancellation.ended == (isNarrowed ? [] : [number]))
  }

  @Test("an automatic update steps aside for a user's operation, and is carried out after it")
  func steppedAside() throws {
    _ = try device.run(.install(["a", "b"]))
    let newer = maps.mapValues { $0 + [1] }
    try repository.publish(newer)
    var manual: UInt64?
    whenDownloading("b") { queue in manual = try queue.add(.uninstall(["a"])) }
    let updater = try device.makeUpdater()
    _ = try updater.enqueue(.update())
    let interrupted = try #require(try updater.runNextOperation())
    #expect(interrupted.ending == .steppedAside(for: try #require(manual)))
    #expect(try operations() == [.update(), .uninstall(["a"])])
    #expect(try updater.runNextOperation()?.command == "uninstall")
    #expect(try updater.runNextOperation()?.command == "apply")
    #expect(try updater.runNextOperation() == nil)
    #expect(try device.installed() == newer.filter { $0.key == "b base" })
  }

  /// Publishes a component `d base` that makes many checkpoints, and a small one; its container and its bytes.
  private func publishLarge() throws -> (entry: CatalogEntry, container: Container, bytes: [UInt8]) {
    let large = mapBytes(1_000_000, seed: 5)
    repository.options.sectionSize = 64 << 10
    try repository.publish(["a base": [1], "d base": large], as: .packed)
    let entry = try #require(repository.entries["d base"])
    return (entry, try #require(entry.packed), large)
  }

  /// Does `action` with the queue as soon as `count` bytes are downloaded.
  private func whenDownloaded(
    _ count: UInt64, _ action: @escaping (borrowing OperationQueue) throws -> Void
  ) {
    let root = device.configuration.root
    var isDone = false
    device.onEvent = { event in
      guard !isDone, case .progress(let progress) = event, progress.done > count else { return }
      isDone = true
      do { try action(try OperationQueue(making: root)) } catch { Issue.record(error) }
    }
  }

  @Test("an operation that steps aside resumes inside of the container that it was applying")
  func resumedAfterOther() throws {
    try repository.publish(["a base": [1], "d base": mapBytes(100, seed: 4)], as: .packed)
    _ = try device.run(.install(["a", "d"]))
    let (entry, container, bytes) = try publishLarge()
    var manual: UInt64?
    whenDownloaded(container.size / 2) { queue in manual = try queue.add(.uninstall(["a"])) }
    let updater = try device.makeUpdater()
    _ = try updater.enqueue(.update())
    let interrupted = try #require(try updater.runNextOperation())
    #expect(interrupted.ending == .steppedAside(for: try #require(manual)))
    #expect(try device.names("staging").contains("\(entry.digest.hex).restart"))
    #expect(try updater.runNextOperation()?.command == "uninstall")
    let resumed = try #require(try updater.runNextOperation())
    #expect(resumed.command == "apply" && resumed.figures.fetched < container.size)
    #expect(try device.installed() == ["d base": bytes])
  }

  @Test("so does one if another part of it is cancelled")
  func resumedAfterNarrowing() throws {
    let (entry, container, bytes) = try publishLarge()
    whenDownloaded(container.size / 2) { queue in
      let number = try #require(try queue.operations().first?.number)
      _ = try queue.requestCancellation(of: number, below: ["a"])
    }
    let updater = try device.makeUpdater()
    _ = try updater.enqueue(.install(["a", "d"]))
    #expect(try updater.runNextOperation()?.ending == .narrowed)
    #expect(try device.names("staging").contains("\(entry.digest.hex).restart"))
    let resumed = try #require(try updater.runNextOperation())
    #expect(resumed.command == "install" && resumed.figures.fetched < container.size)
    #expect(try device.installed() == ["d base": bytes])
  }

  @Test("of two operations a user's is carried out first; one that is skipped is not tried")
  func order() throws {
    let updater = try device.makeUpdater()
    let automatic = try updater.enqueue(.update())
    let manual = try updater.enqueue(.install(["c"]))
    #expect(try updater.runNextOperation()?.operation?.number == manual)
    #expect(try updater.runNextOperation(skipping: [automatic]) == nil)
    #expect(try updater.runNextOperation()?.operation?.number == automatic)
    #expect(try operations() == [])
  }

  @Test("looking for a reason to stop changes nothing and waits for nobody, as that is done within libcurl")
  func looking() throws {
    let root = device.configuration.root
    let queue = try OperationQueue(making: root)
    _ = try queue.add(.update())
    let waiting = try queue.add(.install(["a", "b"]))
    #expect(try queue.requestCancellation(of: waiting, below: ["a"]))
    let working = try #require(try queue.operations().first)
    var monitor = try QueueMonitor(root, for: working, skipping: [], AutomaticSettings())
    let before = try contents("\(root)/queue/\(waiting)")
    // A process that was stopped while it changed the queue.
    let lock = try Directory(opening: "\(root)/queue")
    try lock.lock(.exclusive)
    let start = Clock.milliseconds
    let reason = monitor.pollStopReason()
    #expect(reason == .preempted(by: waiting))
    #expect(Clock.milliseconds - start < 1000)
    #expect(try contents("\(root)/queue/\(waiting)") == before)
    #expect(try queue.cancellation(of: waiting) == ["a"])
    withExtendedLifetime(lock) {}
    _ = consume lock
    monitor.cancelWaitingOperations()
    #expect(try queue.operation(waiting) == .install(["b"]))
    #expect(try queue.cancellation(of: waiting) == nil)
  }

  @Test("whatever comes into the queue while an operation is carried out is found, each at its time")
  func changing() throws {
    let root = device.configuration.root
    let queue = try OperationQueue(making: root)
    _ = try queue.add(.update())
    let working = try #require(try queue.operations().first)
    var monitor = try QueueMonitor(root, for: working, skipping: [], AutomaticSettings())
    func reason() -> StopReason? { monitor.pollStopReason() }
    #expect(reason() == nil)
    let manual = try queue.add(.install(["a"]))
    #expect(reason() == .preempted(by: manual))
    #expect(try queue.requestCancellation(of: manual, below: []))
    monitor.cancelWaitingOperations()
    #expect(try !queue.contains(manual))
    #expect(reason() == nil)
    #expect(try queue.requestCancellation(of: working.number, below: []))
    #expect(reason() == .cancelled)
  }

  @Test("a waiting operation is cancelled without being begun")
  func waiting() throws {
    let updater = try device.makeUpdater()
    let number = try updater.enqueue(.install(["a", "c"]))
    #expect(try updater.cancel(["a"]) == Cancellation(cancelled: [number]))
    #expect(try operations() == [.install(["c"])])
    #expect(try updater.cancel([]) == Cancellation(cancelled: [number]))
    #expect(try operations() == [] && updater.runNextOperation() == nil)
    #expect(device.events == ["operation queued", "operation cancelled", "operation cancelled"])
  }

  @Test("nothing stops a commit: what is cancelled too late is done")
  func committing() throws {
    let root = device.configuration.root
    let index = "store/staging/\(try #require(repository.entries["a base"]).digest.hex).index"
    device.onEvent = { [device] event in
      guard case .committing = event else { return }
      do {
        // Reading an index back is what takes the time in a commit, and what could be stopped.
        try device.scratch.write(index, mapBytes(100_000, seed: 4))
        let queue = try OperationQueue(making: root)
        let number = try #require(try queue.operations().first?.number)
        _ = try queue.requestCancellation(of: number, below: [])
      } catch { Issue.record(error) }
    }
    let report = try #require(try device.run(.install(["a"])))
    #expect(report.ending == .done(.changed(from: nil, to: repository.releases[0])))
    #expect(try device.installed() == maps.filter { $0.key == "a base" })
  }
}
