internal import CPlatform

/// The process that runs this program.
package enum ThisProcess {
  /// Its number, as the kernel knows it.
  package static var number: Int32 { getpid() }

  /// The memory of the machine, in bytes.
  package static var installedMemory: UInt64 {
    UInt64(clamping: sysconf(CInt(_SC_PHYS_PAGES))) * UInt64(clamping: sysconf(CInt(_SC_PAGESIZE)))
  }
}
