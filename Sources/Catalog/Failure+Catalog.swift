internal import Codec
package import Platform

extension Failure {
  /// A file of the publisher that is of no use ends the work on it.
  package init(_ error: CatalogError) {
    self =
      switch error {
      case .file(let failure): failure
      case .packed(_, .overMemoryLimit), .packed(_, .outOfMemory), .malformed(_, _, .outOfMemory):
        .catalogOverMemory(sentence: error.sentence)
      case .packed, .malformed, .notAComponent: .badCatalog(sentence: error.sentence)
      }
  }
}

/// Carries out one call that reads a catalog.
package func wrap<Result: ~Copyable>(
  catalog body: @autoclosure () throws(CatalogError) -> Result
) throws(Failure) -> Result {
  do throws(CatalogError) { return try body() } catch { throw Failure(error) }
}
