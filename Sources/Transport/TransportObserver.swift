/// Observes the connection.
package protocol TransportObserver {
  /// The bytes of the body that have been received so far.
  mutating func received(_ count: UInt64)
  /// The connection broke or was not made; it is tried again after a pause.
  mutating func lostConnection(url: String, cause: String, attempt: Int, pause milliseconds: UInt64)
  /// Bytes flow again.
  mutating func foundConnection()
}
