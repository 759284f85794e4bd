package import Platform

/// Where a body goes.
package protocol ByteSink: ~Copyable {
  /// The bytes that are there already: a request asks only for what follows them.
  var count: UInt64 { get }

  /// Takes the next bytes.
  mutating func write(_ bytes: RawSpan) throws(Failure)

  /// The server starts from zero: `count` is 0 from now on.
  mutating func reset() throws(Failure)
}
