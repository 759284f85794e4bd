internal import MapService
internal import Synchronization

/// Something that has happened.
public enum MapChange: Sendable {
  /// The state of everything: at the beginning, and again after every `changed`.
  case state(MapState)
  /// An operation has changed its state.
  case operation(MapOperation)
  /// What an operation downloads and needs.
  case plan(UpdatePlan)
  /// A component has changed its state.
  case component(MapComponent)
  /// How far a download is; once or twice a second.
  case progress(MapProgress)
  /// An attempt to connect has failed, and another one follows.
  case connectionLost(cause: String, attempt: Int)
  /// Data arrives again.
  case connectionFound
  /// Everything is downloaded; nothing cancels the operation any more.
  case applying
  /// Other maps are current.
  case changed(from: MapRelease?, to: MapRelease?)
  /// Other maps may be current, or an update in place waits for those that are held: `InstalledMaps.state` says which.
  case maps
  /// Something noteworthy that is not an error; or a part of the state that cannot be read.
  case notice(String)
  /// An event that this version does not know: its name, and all of it as JSON.
  case other(name: String, json: String)
}

/// The state of everything.
public struct MapState: Sendable {
  /// What is installed; nil if nothing ever was.
  public let status: MapStatus?
  /// All regions and packages.
  public let tree: MapTree
  /// Operations that run or wait.
  public let operations: [MapOperation]
}

/// What happens, from the whole state on.
public struct MapChanges: AsyncSequence, Sendable {
  /// What has happened.
  public typealias Element = MapChange
  /// Why no more can be told.
  public typealias Failure = MapError

  let stream: AsyncStream<Result<MapChange, MapError>>
  fileprivate let watch: Watch

  /// The changes in their order.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var base: AsyncStream<Result<MapChange, MapError>>.AsyncIterator
    fileprivate let watch: Watch

    /// The next change; waits for it.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(MapError) -> MapChange? {
      try change(await base.next(isolation: actor))
    }

    /// The next change; waits for it.
    public mutating func next() async throws(MapError) -> MapChange? {
      try change(await base.next())
    }

    private func change(_ result: Result<MapChange, MapError>?) throws(MapError) -> MapChange? {
      if result == nil, watch.isOverfull { throw .unread }
      return try result?.get()
    }
  }

  /// Begins to read them.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base: stream.makeAsyncIterator(), watch: watch)
  }
}

extension MapLoader {
  /// Everything that happens, for one reader; ends with an error, or when the task that reads is cancelled.
  ///
  /// It begins with the whole state, so a program that starts in the middle of an update shows it.
  public var changes: MapChanges {
    let (stream, continuation) = AsyncStream<Result<MapChange, MapError>>.makeStream(
      bufferingPolicy: .bufferingOldest(Watch.mostUnread))
    let watch = Watch(engine, continuation)
    watch.begin()
    return MapChanges(stream: stream, watch: watch)
  }
}

extension MapLoader {
  /// Whenever other maps may be current, or an update in place waits for those that are held; asks nobody but the kernel.
  public var mapChanges: AsyncStream<Void> {
    // More than one that nobody has taken say no more than one.
    let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let observer = engine.addObserver { continuation.yield() }
    continuation.onTermination = { [engine] _ in engine.removeObserver(observer) }
    return stream
  }
}

/// Turns the events of `watch` into changes.
private final class Watch: @unchecked Sendable {
  private let engine: Engine
  private let continuation: AsyncStream<Result<MapChange, MapError>>.Continuation
  // Only on the engine's queue: what has come of a state that is not complete; the request, and whether nobody reads any more.
  private var state: [EventContent]?
  private var request: UInt64?
  private var isOver = false
  private let overfull = Mutex(false)

  /// A reader that leaves more than that is told so, and begins again if it wants.
  static var mostUnread: Int { 8192 }

  init(_ engine: Engine, _ continuation: AsyncStream<Result<MapChange, MapError>>.Continuation) {
    self.engine = engine
    self.continuation = continuation
  }

  /// The reader has left too much unread.
  var isOverfull: Bool { overfull.withLock { $0 } }

  func begin() {
    let observer = engine.addObserver { self.send(.maps) }
    continuation.onTermination = { [engine] _ in
      engine.removeObserver(observer)
      engine.perform { self.end() }
    }
    engine.begin(.watch, Parameters(), receive: { self.receive($0) }, began: { self.began($0) })
  }

  private func began(_ result: Result<UInt64, MapError>) {
    switch result {
    case .failure(let error): fail(error)
    case .success(let request):
      self.request = request
      if isOver { engine.leave(request) }
    }
  }

  private func end() {
    isOver = true
    if let request { engine.leave(request) }
  }

  private func receive(_ event: MapEvent) -> Bool {
    let content = EventContent(event)
    if event.result != nil {
      fail(MapError(content))
      return false
    }
    switch content.name {
    case "state": state = []
    case "ready": finishState()
    default:
      if state == nil { send(MapChange(content)) } else { state?.append(content) }
    }
    return true
  }

  private func finishState() {
    let events = state ?? []
    state = nil
    send(
      .state(
        MapState(
          status: events.last { $0.name == "status" }.map { MapStatus($0) },
          tree: MapTree(events.filter { $0.name == "region" || $0.name == "package" }, nil),
          operations: events.filter { $0.name == "operation" }.map { MapOperation($0) })))
    for event in events where ["progress", "error"].contains(event.name) { send(MapChange(event)) }
  }

  private func send(_ change: MapChange) {
    guard case .dropped = continuation.yield(.success(change)) else { return }
    overfull.withLock { $0 = true }
    continuation.finish()
  }

  private func fail(_ error: MapError) {
    continuation.yield(.failure(error))
    continuation.finish()
  }
}

extension MapChange {
  init(_ event: EventContent) {
    switch event.name {
    case "operation": self = .operation(MapOperation(event))
    case "plan": self = .plan(UpdatePlan(event))
    case "component": self = .component(MapComponent(event))
    case "progress": self = .progress(MapProgress(event))
    case "connection-lost":
      self = .connectionLost(cause: event.text("cause"), attempt: event.count("attempt"))
    case "connection-found": self = .connectionFound
    case "applying": self = .applying
    case "changed": self = .changed(from: event.release("from"), to: event.release("to"))
    case "notice", "error": self = .notice(event.text("message"))
    default: self = .other(name: event.name, json: event.json)
    }
  }
}
