internal import DeltaCreate
internal import Platform

/// The cost of making a payload, estimated from sizes alone.
///
/// Measured on maps of some MB (`bench/results.md`, "Jobs"); contents decide, so a job may well take a third or three times
/// as long, and one with compressed contents five times.
struct JobCost: Equatable {
  /// Bytes: the search, and the program with its encoders; pages of the files come in addition, where there is room.
  let memory: UInt64
  /// Seconds of one processor.
  let seconds: UInt64

  /// - `old`, `new`: bytes; `old` is 0 for a packed component.
  init(old: UInt64, new: UInt64, plan: SearchBudget) {
    memory = UInt64(clamping: plan.memory).saturatingSum(32 << 20)
    // Nanoseconds for each byte of both files.
    let rate: UInt64 = old == 0 ? 800 : 200
    seconds = max(new.saturatingSum(old) / 1000 * rate / 1_000_000, 1)
  }
}
