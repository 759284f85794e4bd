internal import MapModel
internal import MapTree
internal import Platform
internal import Store
internal import Transport

/// Passes every event on: to the observer, and to other processes through `events` and `queue/active` in the store.
///
/// A class, since events also come from inside libcurl's callbacks and from the heartbeat.
final class ActivityPublisher {
  private let root: String
  /// Nil: what happens is not written to the store.
  private let log: EventLog?
  private let observe: (UpdateEvent) -> Void
  /// Gets each line that is written to `events`.
  private let echo: ((String) -> Void)?
  /// The number of the operation of the queue that is carried out.
  private var operation: UInt64?
  private var downloading: ComponentName?
  private var indexing: ComponentName?
  /// What `queue/active` says of them.
  private var components: [ActiveOperation.Component] = []
  private var meter = DownloadMeter()
  private var progress = UpdateEvent.Progress()
  private(set) var failures = ConnectionFailures()
  private var lastProgress: UInt64 = 0
  private var lastShown: UInt64 = 0

  /// - `record`: where it is written.
  init(
    _ root: String, record: EventRecord = .store, echo: ((String) -> Void)?,
    observe: @escaping (UpdateEvent) -> Void
  ) {
    self.root = root
    log = record == .store ? EventLog(root) : nil
    self.observe = observe
    self.echo = echo
  }

  /// Forgets the operation before, and counts from zero.
  func begin() {
    (downloading, indexing, components) = (nil, nil, [])
    meter = DownloadMeter()
    progress = UpdateEvent.Progress()
    failures = ConnectionFailures()
  }

  /// Passes an event on.
  func publish(_ event: UpdateEvent) {
    note(event)
    write(event)
    observe(event)
  }

  /// The operation of the queue is over: later events do not belong to it.
  func end() { operation = nil }

  /// Keeps what later events and `queue/active` say.
  private func note(_ event: UpdateEvent) {
    switch event {
    case .started(let operation):
      self.operation = operation.number
      show()
    case .planned(let plan, _, _): meter = DownloadMeter(total: plan.download)
    case .component(let name, let state): note(name, as: state)
    case .committing:
      (downloading, indexing) = (nil, nil)
      showComponents()
    case .connectionLost(let loss): failures.add(loss)
    case .notice(.startedAgain), .notice(.downloadedAgain): meter.startAgain()
    case .area, .queued, .cancelled, .ended, .progress, .standby, .changed, .checked, .ready,
      .applicationTooOld,
      .blocked, .recalled, .trial, .connectionFound, .notice:
      break
    }
  }

  private func note(_ name: ComponentName, as state: UpdateEvent.ComponentState) {
    switch state {
    case .downloading(_, let waiting):
      downloading = name
      progress.waiting = waiting
    // Until the next one begins, `queue/active` shows it.
    case .staged: return downloading = nil
    case .indexing: indexing = name
    case .indexed: indexing = nil
    case .waiting, .made, .installed, .removed: return
    }
    showComponents()
  }

  private func write(_ event: UpdateEvent) {
    var json = JSON()
    json.add("event", event.name)
    json.add("time", Clock.timestamp(Clock.now))
    if let operation, !event.isOfAnother { json.add("operation", operation) }
    event.write(to: &json)
    log?.append(json.text)
    echo?(json.text)
  }

  // MARK: - The download

  /// A component's payload is downloaded next, all but `present` bytes of it.
  func begin(_ name: ComponentName, by payload: Payload, present: UInt64, waiting: Int) {
    meter.begin(name, by: payload, present: present)
    publish(.component(name, .downloading(payload, waiting: waiting)))
    received(0)
  }

  /// One container of the payload, of `size` bytes, is applied: `received` counts the next one from zero.
  func advance(by size: UInt64) { meter.advance(by: size) }

  /// Writes the progress at least once a second, whatever takes so long.
  func pulse() {
    if Clock.milliseconds - lastProgress >= 900 { writeProgress() }
  }

  private func writeProgress() {
    lastProgress = Clock.milliseconds
    guard operation != nil else { return }
    // Each update writes a new file, and the events say the same.
    if lastProgress - lastShown >= 2000 { show() }
    write(.progress(progress))
  }

  // MARK: - What is active

  private func showComponents() {
    components = []
    if let name = downloading { components.append(.init(name, activity: .downloading)) }
    if let name = indexing { components.append(.init(name, activity: .indexing)) }
    progress.component = components.first
    show()
  }

  private func show() {
    guard let operation else { return }
    var active = ActiveOperation(number: operation, process: ThisProcess.number)
    (active.done, active.total, active.components) = (progress.done, progress.total, components)
    lastShown = Clock.milliseconds
    do throws(Failure) {
      guard let queue = try OperationQueue.open(root) else { return }
      queue.show(active)
    } catch {}
  }
}

extension ActivityPublisher: TransportObserver {
  func received(_ count: UInt64) {
    guard let (done, total) = meter.progress(count) else { return }
    (progress.done, progress.total) = (done, total)
    if Clock.milliseconds - lastProgress >= 500 { writeProgress() }
    observe(.progress(progress))
  }

  func lostConnection(url: String, cause: String, attempt: Int, pause milliseconds: UInt64) {
    publish(.connectionLost(.init(url: url, cause: cause, attempt: attempt, pause: milliseconds)))
  }

  func foundConnection() { publish(.connectionFound) }
}

/// Where what happens is written.
package enum EventRecord {
  /// To `events` of the store.
  case store
  /// Nowhere: the store is made for another device.
  case none
}
