internal import Platform

/// What the name of a file in the input says about its content.
struct DataFileName {
  private let name: String

  /// Extensions of files that are not map data; files without an extension are not, either.
  private static let documents: Set<String> = [
    "md", "txt", "rst", "html", "htm", "pdf", "xml", "log", "sha256", "md5", "asc", "sig", "bak", "tmp",
    "part",
  ]

  init(_ name: String) { self.name = name }

  /// A finished component.
  var isComponent: Bool { fileExtension == "dat" }

  /// Not map data.
  var isDocument: Bool {
    guard let fileExtension else { return true }
    return DataFileName.documents.contains(fileExtension) || name.utf8.last == UInt8(ascii: "~")
  }

  /// Made by Windows beside what people put there.
  var isSystemFile: Bool { ["thumbs.db", "ehthumbs.db", "desktop.ini"].contains(name.lowercased()) }

  /// The part before the first dot.
  var stem: String { name.parts(separatedBy: ".", limit: 2)[0] }

  /// The part after the last dot, in lower case; nil if there is none.
  private var fileExtension: String? {
    let parts = name.parts(separatedBy: ".")
    guard parts.count > 1, let last = parts.last, !last.isEmpty else { return nil }
    return last.lowercased()
  }
}
