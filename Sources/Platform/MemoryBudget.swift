internal import CPlatform

/// The memory that the process may use.
package enum MemoryBudget {
  /// Makes the kernel refuse any allocation that would take the process over `bytes`.
  ///
  /// It counts the private writable memory of the process: data and heap (`RLIMIT_DATA`, setrlimit(2)).
  /// A lower limit that is in force already stays.
  ///
  /// - Returns: the limit that is in force now.
  package static func enforce(bytes: UInt64) throws(Errno) -> UInt64 {
    try Errno.check { tu_limit_data(bytes) }
    return min(bytes, tu_data_limit())
  }

  /// The largest resident size of this process so far, in bytes; nil if the kernel does not tell.
  package static var peakResident: UInt64? {
    let kibibytes = tu_peak_resident_kib()
    return kibibytes < 0 ? nil : UInt64(kibibytes) * 1024
  }
}
