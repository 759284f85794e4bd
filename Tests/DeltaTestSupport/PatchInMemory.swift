package import Crypto
package import DeltaCreate
package import PatchFormat

/// A finished patch with all of its bytes.
package struct PatchInMemory {
  package let head: PatchHead
  package let newDigest: Digest
  package let headDigest: Digest
  package let bytes: [UInt8]
}

extension PatchMaker {
  /// Makes the patch that turns `old` into `new`; `old` is empty for a packed component.
  ///
  /// - `memory`: the bytes that the search may take.
  package func make(
    old: Span<UInt8>, new: Span<UInt8>, memory: Int = .max
  ) throws(DeltaCreateError) -> PatchInMemory {
    try make(old: old, new: new, plan: SearchBudget.choose(old: old.count, new: new.count, limit: memory))
  }

  package func make(
    old: Span<UInt8>, new: Span<UInt8>, plan: SearchBudget
  ) throws(DeltaCreateError) -> PatchInMemory {
    try old.withUnsafeBufferPointer { (old) throws(DeltaCreateError) in
      try new.withUnsafeBufferPointer { (new) throws(DeltaCreateError) in
        let packed = try pack(old: old, new: new, plan: plan)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(packed.size))
        try packed.forEachPart { bytes += $0 }
        return PatchInMemory(
          head: packed.head, newDigest: packed.newDigest, headDigest: packed.headDigest, bytes: bytes)
      }
    }
  }
}
