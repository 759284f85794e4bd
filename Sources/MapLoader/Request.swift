internal import Dispatch
internal import MapService

/// A request whose answer somebody waits for.
final class Request<Answer: Sendable>: @unchecked Sendable {
  typealias Outcome = Result<Answer, MapError>

  private let engine: Engine
  private let read: @Sendable ([EventContent], EventContent) -> Answer
  private let lock = DispatchQueue(label: "org.tinyupdater.MapLoader.Request")
  // Only with `lock`.
  private var continuation: CheckedContinuation<Outcome, Never>?
  private var number: UInt64?
  private var isLeft = false
  // Only on the engine's queue.
  private var events: [EventContent] = []

  init(_ engine: Engine, _ read: @escaping @Sendable ([EventContent], EventContent) -> Answer) {
    self.engine = engine
    self.read = read
  }

  func begin(
    _ method: MapMethod, _ parameters: Parameters, _ continuation: CheckedContinuation<Outcome, Never>
  ) {
    let isLeft = lock.sync {
      self.continuation = continuation
      return self.isLeft
    }
    if isLeft { return end(.failure(.cancelled)) }
    engine.begin(method, parameters, receive: { self.receive($0) }, began: { self.began($0) })
  }

  /// Nobody waits for the answer any more.
  func leave() {
    let number = lock.sync {
      isLeft = true
      return self.number
    }
    if let number { engine.leave(number) }
    end(.failure(.cancelled))
  }

  private func began(_ result: Result<UInt64, MapError>) {
    switch result {
    case .failure(let error): end(.failure(error))
    case .success(let number):
      let isLeft = lock.sync {
        self.number = number
        return self.isLeft
      }
      if isLeft { engine.leave(number) }
    }
  }

  private func receive(_ event: MapEvent) -> Bool {
    let content = EventContent(event)
    guard let result = event.result else {
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

  private func end(_ outcome: Outcome) {
    let continuation = lock.sync {
      defer { self.continuation = nil }
      return self.continuation
    }
    continuation?.resume(returning: outcome)
  }
}
