internal import Platform

/// What may still be received over the network, where that costs by the byte.
///
/// Bodies count, those that are thrown away too; heads, TLS and TCP do not.
package final class DownloadAllowance {
  /// Which setting the allowance comes from.
  package enum Period { case run, day }

  package let period: Period
  /// In bytes.
  package private(set) var left: UInt64
  private let interval: UInt64
  /// Gets how many bytes have come since it was last called.
  private let note: (UInt64) -> Void
  private var unnoted: UInt64 = 0

  /// - `interval`: the bytes after which `note` is called.
  package init(_ left: UInt64, of period: Period, every interval: UInt64, note: @escaping (UInt64) -> Void) {
    self.left = left
    self.period = period
    self.interval = interval
    self.note = note
  }

  /// What ends a download when nothing is left.
  var failure: Failure {
    switch period {
    case .run: .runLimitReached
    case .day: .dayLimitReached
    }
  }

  func spend(_ count: Int) {
    left -= min(left, UInt64(count))
    unnoted += UInt64(count)
    if unnoted >= interval { settle() }
  }

  /// Notes what was not noted yet.
  func settle() {
    if unnoted > 0 { note(unnoted) }
    unnoted = 0
  }
}
