internal import Glibc

/// Seconds that this thread computes in `body`, whatever else the machine does.
///
/// What should take a fraction of a second and takes minutes if its effort grows with the square of its input is told
/// by a bound between them.
package func processorSeconds(_ body: () throws -> Void) rethrows -> Double {
  let before = threadTime()
  try body()
  return threadTime() - before
}

private func threadTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
