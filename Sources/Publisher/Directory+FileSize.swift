internal import Platform

extension Directory {
  /// The size of a file; nil if there is none.
  func fileSize(of name: String) throws(PublisherError) -> UInt64? {
    let status = try onFile { () throws(Failure) in try self.status(of: name) }
    return status?.kind == .file ? status?.size : nil
  }
}
