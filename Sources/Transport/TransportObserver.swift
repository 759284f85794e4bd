/// Told what happens to the connection.
package protocol TransportObserver {
  /// So many bytes of the body are there.
  mutating func received(_ count: UInt64)
  /// The connection broke or was not made; it is tried again after a pause.
  mutating func lostConnection(url: String, cause: String, attempt: Int, pause milliseconds: UInt64)
  /// Bytes flow again.
  mutating func foundConnection()
}
