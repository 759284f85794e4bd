internal import CPlatform

/// The process that runs this program.
package enum ThisProcess {
  /// Its number, as the kernel knows it.
  package static var number: Int32 { getpid() }

  /// What the kernel calls the start of the system, which is another text for each; `-` if it does not say.
  package static var systemStart: String {
    do throws(Failure) {
      let bytes = try File(opening: "/proc/sys/kernel/random/boot_id").bytes(upTo: 64)
      let text = String(decoding: bytes, as: UTF8.self).trimmed
      let isWord = !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
      return isWord ? text : "-"
    } catch { return "-" }
  }

  /// Opens the standard streams that are closed, so that no file of the store gets one of their descriptors.
  package static func openStandardStreams() { tu_open_standard_streams() }

  /// Leaves processor and storage to all other processes that want them; what cannot be changed stays.
  package static func giveWay() { tu_give_way() }

  /// Raises the limit of the stack to `bytes`, where it is lower, as far as it may; the limit that is in force then.
  package static func raiseStack(to bytes: UInt64) -> UInt64 { UInt64(tu_raise_stack(bytes)) }

  /// Files that it writes have a largest size (`RLIMIT_FSIZE`).
  package static var limitsFileSizes: Bool { tu_limits_file_sizes() != 0 }

  /// Lets everyone read the files that are made from now on, whatever the caller's umask.
  package static func shareFiles() { _ = umask(0o022) }
}
