internal import CPlatform

/// The space of a file system.
package struct Space: Equatable {
  /// In bytes.
  package let available: UInt64
  /// The size of one block: what even the smallest file takes.
  package let block: UInt64
  /// How many more files and directories it takes (inodes); nil: it has no such limit.
  package let files: UInt64?

  package init(available: UInt64, block: UInt64, files: UInt64? = nil) {
    self.available = available
    self.block = block
    self.files = files
  }

  init(_ status: CPlatform.statvfs) {
    let block = UInt64(status.f_frsize)
    let (available, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: block)
    // A file system that makes inodes as it needs them says that it has none at all.
    let files = status.f_files > 0 ? UInt64(status.f_favail) : nil
    self.init(available: overflow ? .max : available, block: max(block, 512), files: files)
  }

  /// The bytes that a file of `size` bytes takes on disk.
  package func allocated(_ size: UInt64) -> UInt64 {
    let (padded, overflow) = size.addingReportingOverflow(block - 1)
    return overflow ? .max : padded / block * block
  }
}
