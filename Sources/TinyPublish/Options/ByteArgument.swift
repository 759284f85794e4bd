internal import ArgumentParser
internal import Platform

/// A number of bytes, such as 512K or 1M.
struct ByteArgument: ExpressibleByArgument {
  let bytes: UInt64

  init(bytes: UInt64) { self.bytes = bytes }

  init?(argument: String) {
    guard let count = ByteCount(argument) else { return nil }
    bytes = count.bytes
  }

  var defaultValueDescription: String { bytes % (1 << 20) == 0 ? "\(bytes >> 20)M" : "\(bytes)" }
}
