internal import Codec
package import Platform

extension Failure {
  /// What applying the container at `path` throws.
  package init(_ error: DeltaError, path: String) {
    let fault: PatchFault
    switch error {
    case .cancelled:
      self = .cancelled
      return
    case .file(let failure):
      self = failure
      return
    case .hashing, .codec(.outOfMemory): fault = .shortage
    case .overMemory, .codec(.overMemoryLimit): fault = .overMemory
    case .badHead, .wrongOldFile, .badFrame, .badSection, .badBlock, .outsideSource, .wrongResult,
      .codec(.corrupt):
      fault = .signed
    case .notAPatch, .wrongHead, .truncated, .trailingBytes, .wrongFrame, .codec: fault = .altered
    }
    self = .patch(path: path, cause: error.sentence, fault)
  }
}

/// Carries out one call about the container at `path`.
package func wrap<Result: ~Copyable>(
  delta body: @autoclosure () throws(DeltaError) -> Result, path: String
) throws(Failure) -> Result {
  do throws(DeltaError) { return try body() } catch { throw Failure(error, path: path) }
}
