internal import CPlatform

/// The memory that the process may use.
package enum MemoryBudget {
  /// Makes the kernel refuse any allocation that would take the process over `bytes`.
  ///
  /// It counts the private writable memory of the process: data and heap (`RLIMIT_DATA`, setrlimit(2)).
  /// A lower limit that is in force already stays. Only the soft limit is set: the hard one stays the caller's,
  /// so that a child can be given a limit of its own, which may be higher.
  ///
  /// - Returns: the limit that is in force now.
  package static func enforce(bytes: UInt64) throws(Errno) -> UInt64 {
    try Errno.check { tu_limit_data(bytes) }
    return min(bytes, tu_data_limit())
  }

  /// The largest resident size of this process so far, in bytes; nil if the kernel does not say.
  ///
  /// From proc(5), where there is one: the figure of getrusage(2) is that of the parent if the parent
  /// was larger when it started this process by vfork(2).
  package static var peakResident: UInt64? {
    if let kibibytes = peakFromProc { return kibibytes * 1024 }
    let kibibytes = tu_peak_resident_kib()
    return kibibytes < 0 ? nil : UInt64(kibibytes) * 1024
  }

  /// The line "VmHWM:      1234 kB", in KiB.
  private static var peakFromProc: UInt64? {
    do throws(Failure) {
      var lines = LineReader(try File(opening: "/proc/self/status"), limit: 256)
      while let line = try lines.next() {
        let parts = line.text.parts(separatedBy: ":", limit: 2)
        guard parts[0] == "VmHWM", parts.count == 2 else { continue }
        guard let number = UInt64(ascii: parts[1].trimmed.parts(separatedBy: " ")[0].utf8) else { return nil }
        return number < 1 << 50 ? number : nil
      }
    } catch {}
    return nil
  }
}
