internal import Platform
internal import Releases

/// Counts the bytes of those files of a release that were compared with its catalog.
struct VerificationMeter {
  private let release: ServedRelease
  private let total: UInt64
  private let observe: (VerificationEvent) -> Void
  private var done: UInt64 = 0

  /// - `sizes`: of all files, as the catalog says.
  init(_ release: ServedRelease, sizes: [UInt64], observe: @escaping (VerificationEvent) -> Void) {
    self.release = release
    self.observe = observe
    total = sizes.reduce(UInt64(0)) { $0.saturatingSum($1) }
  }

  mutating func pass(_ url: String, size: UInt64) {
    done = done.saturatingSum(size)
    observe(.read(url, of: release, done: done, total: total))
  }
}
