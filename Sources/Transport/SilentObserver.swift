/// An observer that does nothing.
package struct SilentObserver: TransportObserver {
  package init() {}

  package mutating func received(_ count: UInt64) {}
  package mutating func lostConnection(
    url: String, cause: String, attempt: Int, pause milliseconds: UInt64
  ) {}
  package mutating func foundConnection() {}
}
