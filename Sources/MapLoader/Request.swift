internal import Dispatch
internal import MapService

/// A request whose answer somebody waits for.
final class Request<Answer: Sendable>: @unchecked Sendable {
  typealias Outcome = Result<Answer, MapError>

  /// What becomes of it when its task is cancelled.
  enum Cancellation {
    /// Nobody waits for the answer any more.
    case leaves
    /// The operation is cancelled, and its result is waited for.
    case cancelsOperation
  }

  private let engine: Engine
  private let cancellation: Cancellation
  private let read: @Sendable ([EventContent], EventContent) -> Answer
  private let lock = DispatchQueue(label: "org.tinyupdater.MapLoader.Request")
  // Only with `lock`.
  private var continuation: CheckedContinuation<Outcome, Never>?
  private var number: UInt64?
  private var operation: UInt64?
  private var isCancelled = false
  // Only on the engine's queue.
  private var events: [EventContent] = []

  init(
    _ engine: Engine, _ cancellation: Cancellation,
    _ read: @escaping @Sendable ([EventContent], EventContent) -> Answer
  ) {
    self.engine = engine
    self.cancellation = cancellation
    self.read = read
  }

  func begin(
    _ method: MapMethod, _ parameters: Parameters, _ continuation: CheckedContinuation<Outcome, Never>
  ) {
    let isCancelled = lock.sync {
      self.continuation = continuation
      return self.isCancelled
    }
    if isCancelled { return end(.failure(.cancelled)) }
    engine.begin(method, parameters, receive: { self.receive($0) }, began: { self.began($0) })
  }

  /// The task that waits is cancelled.
  func cancel() {
    let (number, operation) = lock.sync {
      isCancelled = true
      return (self.number, self.operation)
    }
    switch cancellation {
    case .leaves:
      if let number { engine.leave(number) }
      end(.failure(.cancelled))
    case .cancelsOperation:
      if let operation { engine.cancel(operation) }
    }
  }

  private func began(_ result: Result<UInt64, MapError>) {
    switch result {
    case .failure(let error): end(.failure(error))
    case .success(let number):
      let isCancelled = lock.sync {
        self.number = number
        return self.isCancelled
      }
      if isCancelled && cancellation == .leaves { engine.leave(number) }
    }
  }

  private func receive(_ event: MapEvent) -> Bool {
    let content = EventContent(event)
    guard let result = event.result else {
      if cancellation == .cancelsOperation && content.name == "operation" {
        learn(content.number("operation"))
      }
      events.append(content)
      return true
    }
    let code = MapResultCode(result)
    if code == .success || code == .updateAvailable {
      end(.success(read(events, content)))
    } else {
      end(.failure(MapError(content)))
    }
    return false
  }

  /// The first operation that is told of is its own.
  private func learn(_ operation: UInt64) {
    let isCancelled = lock.sync {
      guard self.operation == nil else { return false }
      self.operation = operation
      return self.isCancelled
    }
    if isCancelled { engine.cancel(operation) }
  }

  private func end(_ outcome: Outcome) {
    let continuation = lock.sync {
      defer { self.continuation = nil }
      return self.continuation
    }
    continuation?.resume(returning: outcome)
  }
}
