internal import Platform

/// How indexes are made on this device.
package struct IndexSettings: Equatable {
  /// The absolute path of the program that makes them; nil: none are made.
  package var command: String?
  /// Bytes of memory that it may use.
  package var memory: UInt64 = 64 << 20
  /// Seconds that it may take for one component.
  package var seconds: UInt64 = 600

  package init() {}
}
