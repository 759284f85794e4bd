internal import Dispatch
internal import MapReading
internal import MapService
internal import Platform

/// Reads events as they come, and hands each to whom it is for; everything happens on one queue.
///
/// It lives as long as a loader, a request, or who reads changes has it.
final class Engine: @unchecked Sendable {
  private let queue = DispatchQueue(label: "org.tinyupdater.MapLoader")
  // Only on `queue`.
  private let client: MapClient
  private var source: (any DispatchSourceRead)?
  private var receivers: [UInt64: (MapEvent) -> Void] = [:]
  private var observers: [UInt64: () -> Void] = [:]
  private var lastObserver: UInt64 = 0

  init(_ client: MapClient) {
    self.client = client
    let source = DispatchSource.makeReadSource(fileDescriptor: client.raw, queue: queue)
    source.setEventHandler { [weak self] in self?.receive() }
    // The descriptor stays open until nobody waits for it.
    let kept = Kept(client)
    source.setCancelHandler { _ = kept }
    self.source = source
    source.activate()
  }

  deinit { source?.cancel() }

  private struct Kept: @unchecked Sendable {
    private let client: MapClient

    init(_ client: MapClient) { self.client = client }
  }

  private func receive() {
    while let occasion = client.next() {
      switch occasion {
      case .event(let event): receivers[event.request]?(event)
      case .maps: for observer in observers.values { observer() }
      }
    }
  }

  // MARK: - Requests

  /// Begins a request, and hands its events to `receive` until it returns false.
  ///
  /// - `began`: the number of the request, or why there is none.
  func begin(
    _ method: MapMethod, _ parameters: Parameters,
    receive: @escaping @Sendable (MapEvent) -> Bool,
    began: @escaping @Sendable (Result<UInt64, MapError>) -> Void
  ) {
    queue.async { [self] in
      do throws(MapRefusal) {
        let request = try client.begin(method, parameters.json)
        receivers[request] = { [weak self] event in if !receive(event) { self?.forget(request) } }
        began(.success(request))
      } catch { began(.failure(MapError(error))) }
    }
  }

  /// No further events of a request.
  func leave(_ request: UInt64) {
    queue.async { [self] in
      forget(request)
      client.leave(request)
    }
  }

  /// Asks for the cancellation of an operation, whose own request tells what becomes of it.
  func cancel(_ operation: UInt64) {
    var parameters = Parameters()
    parameters.add("operation", number: "\(operation)")
    begin(.cancel, parameters, receive: { $0.result == nil }, began: { _ in })
  }

  private func forget(_ request: UInt64) { receivers[request] = nil }

  // MARK: - Maps

  func hold() throws(Failure) -> HeldMaps {
    let result = queue.sync { () -> Result<HeldMaps, Failure> in
      do throws(Failure) { return .success(try client.hold()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// Maps that an update waits for are let go.
  func letGo(of generation: UInt64) { queue.async { self.client.letGo(of: generation) } }

  /// Calls `body` whenever other maps may be current; returns what `removeObserver` takes.
  func addObserver(_ body: @escaping @Sendable () -> Void) -> UInt64 {
    queue.sync {
      lastObserver += 1
      observers[lastObserver] = body
      return lastObserver
    }
  }

  /// Calls `body` on the queue.
  func perform(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

  func removeObserver(_ number: UInt64) { queue.async { self.observers[number] = nil } }
}

/// The parameters of a method.
struct Parameters: Sendable {
  private var lists: [(String, [String])] = []
  private var texts: [(String, String)] = []
  private var numbers: [(String, String)] = []
  private var flags: [String] = []

  init() {}
  init(_ name: String, _ list: [String]) { lists = [(name, list)] }

  mutating func add(_ name: String, _ text: String) { texts.append((name, text)) }
  mutating func add(_ name: String, number: String) { numbers.append((name, number)) }
  mutating func add(flag name: String) { flags.append(name) }

  var json: JSON {
    var json = JSON()
    for (name, list) in lists { json.add(name, list) }
    for (name, text) in texts { json.add(name, text) }
    for (name, number) in numbers { json.add(name, number: number) }
    for name in flags { json.add(name, true) }
    return json
  }
}
