internal import Platform

/// A sink and who observes it, behind closures: what decides about a body is compiled once for all kinds of sinks.
struct Destination {
  /// The bytes that the sink has.
  let count: () -> UInt64
  let write: (RawSpan) throws(Failure) -> Void
  let reset: () throws(Failure) -> Void
  let received: (UInt64) -> Void
  let lostConnection: (_ url: String, _ cause: String, _ attempt: Int, _ pause: UInt64) -> Void
  let foundConnection: () -> Void

  /// Calls `body` with the destination, which is good for nothing afterwards.
  static func with<Sink: ByteSink & ~Copyable, Observer: TransportObserver>(
    _ sink: inout Sink, _ observer: inout Observer, _ body: (Destination) throws(Failure) -> Void
  ) throws(Failure) {
    try withUnsafeMutablePointer(to: &sink) { (sink) throws(Failure) in
      try withUnsafeMutablePointer(to: &observer) { (observer) throws(Failure) in
        try body(
          Destination(
            count: { sink.pointee.count },
            write: { (bytes) throws(Failure) in try sink.pointee.write(bytes) },
            reset: { () throws(Failure) in try sink.pointee.reset() },
            received: { observer.pointee.received($0) },
            lostConnection: { observer.pointee.lostConnection(url: $0, cause: $1, attempt: $2, pause: $3) },
            foundConnection: { observer.pointee.foundConnection() }))
      }
    }
  }
}
