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

  /// The bytes that a file of `size` bytes takes on disk.
  package func allocated(_ size: UInt64) -> UInt64 {
    let (padded, overflow) = size.addingReportingOverflow(block - 1)
    return overflow ? .max : padded / block * block
  }
}
