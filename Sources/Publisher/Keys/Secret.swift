internal import CPlatform

extension [UInt8] {
  /// Overwrites a secret with zeros, so that it does not stay in memory after it is freed.
  package mutating func wipe() {
    withUnsafeMutableBytes { bytes in
      if let base = bytes.baseAddress { explicit_bzero(base, bytes.count) }
    }
  }
}
