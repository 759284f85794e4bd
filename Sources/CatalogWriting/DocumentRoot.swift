package import Catalog

/// The outermost element of an XML document, which says what kind of document it is.
package enum DocumentRoot {
  /// The name of the element; the rest of the document is not read.
  package static func name<Source: ByteSource & ~Copyable>(
    of source: consuming Source, path: String
  ) throws(CatalogError) -> String {
    var reader = try XMLReader(source, path: path)
    guard case .start(let name, _) = try reader.next() else { throw reader.malformed(.truncated) }
    return name
  }
}
