internal import Catalog
internal import Crypto
internal import DeltaApply
internal import PatchFormat

extension Container {
  /// The container of a payload that is stored under its digest.
  ///
  /// - `recompressed`: bytes of the deflate streams that it rebuilds.
  init(_ head: PatchHead, digest: Digest, size: UInt64, recompressed: UInt64) {
    self.init(
      url: "payloads/\(digest.hex).patch", size: size, head: digest, memory: head.memoryNeeded,
      recompressed: recompressed)
  }
}
