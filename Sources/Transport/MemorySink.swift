package import Platform

/// A sink in memory, for documents that are small by their nature.
package struct MemorySink: ByteSink {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package var count: UInt64 { UInt64(bytes.count) }

  package mutating func write(_ span: RawSpan) throws(Failure) {
    bytes.append(contentsOf: span)
  }

  package mutating func reset() { bytes.removeAll() }
}
