package import Platform

/// The front of a `.dat` file (`docs/format/catalog.md`, Component).
package struct ComponentFile: Equatable {
  package let description: Description
  /// Where the data begins, in bytes from the start of the file.
  package let dataOffset: UInt64

  /// Reads the description of an open component, and checks that the file has the size that it says.
  package static func read(_ file: consuming File, detail: Detail = .summary) throws(CatalogError)
    -> ComponentFile
  {
    let path = file.path
    let fileSize: UInt64
    do throws(Failure) { fileSize = try file.size() } catch { throw .file(error) }
    let size = try descriptionSize(file, fileSize: fileSize)
    var reader = try XMLReader(FileSource(file, limit: size), path: path)
    var description = try Description(try reader.root("component"))
    reading: while true {
      switch try reader.next() {
      case .start(let name, let list):
        let attributes = XMLAttributes(list, path: path, at: reader.position)
        let isTaken = try description.geography.take(
          name, attributes: attributes, from: &reader, detail: detail)
        if !isTaken { try reader.skipElement() }
      case .end: break
      case .finish: break reading
      }
    }
    let component = ComponentFile(description: description, dataOffset: 8 + size)
    let (expected, overflow) = component.dataOffset.addingReportingOverflow(description.dataSize)
    guard !overflow, expected == fileSize else {
      throw .notAComponent(path: path, .wrongSize(expected: overflow ? .max : expected, found: fileSize))
    }
    return component
  }

  /// The first eight bytes: the size of the description.
  ///
  /// Leaves the position after them.
  private static func descriptionSize(_ file: borrowing File, fileSize: UInt64) throws(CatalogError)
    -> UInt64
  {
    guard fileSize >= 8 else { throw .notAComponent(path: file.path, .truncated) }
    var storage = [8 of UInt8](repeating: 0)
    var span = storage.mutableSpan
    var bytes = span.mutableBytes
    guard try file.bytes(into: &bytes) == 8 else { throw .notAComponent(path: file.path, .truncated) }
    var size: UInt64 = 0
    for index in (0..<8).reversed() { size = size << 8 | UInt64(storage[index]) }
    guard size <= CatalogLimits.description else {
      throw .notAComponent(path: file.path, .descriptionTooLarge(size))
    }
    guard size <= fileSize - 8 else { throw .notAComponent(path: file.path, .truncated) }
    return size
  }
}
