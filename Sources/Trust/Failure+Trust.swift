package import Platform

extension Failure {
  /// Metadata of no use ends the work on it.
  ///
  /// - `below`: the URL of the directory with the metadata; empty for what is on the device.
  package init(_ error: TrustError, below url: String) {
    let what = "\(url)\(error.sentence)"
    self =
      switch error {
      case .file(let failure): failure
      case .busy(let path): .busy(path: path)
      case .cancelled: .cancelled
      case .noRoot: .noRoot
      case .missing: .metadataMissing(sentence: error.sentence)
      case .notFetched, .moreRoots: .metadataNotFetched(sentence: error.sentence)
      case .overMemory: .metadataOverMemory(sentence: what)
      case .expired:
        .metadataRejected(
          sentence:
            "\(what); nothing of it is trusted: if this device's clock is right, the publisher has to renew it"
        )
      case .rolledBack, .dropped:
        .metadataRejected(
          sentence:
            "\(what); nothing of it is trusted: the server, or a proxy in front of it, serves an old state")
      case .unsigned:
        .metadataRejected(
          sentence:
            "\(what); nothing of it is trusted: the server, or a proxy in front of it, alters the metadata, or "
            + "trusted_root is that of another publisher")
      case .malformed, .mismatched, .wrongVersion, .unlisted:
        .metadataRejected(
          sentence:
            "\(what); nothing of it is trusted: the server, or a proxy in front of it, alters the metadata")
      }
  }
}

/// Carries out one call for metadata on the device; that of a repository has a URL.
package func wrap<Result: ~Copyable>(
  trust body: @autoclosure () throws(TrustError) -> Result
) throws(Failure) -> Result {
  do throws(TrustError) { return try body() } catch { throw Failure(error, below: "") }
}
