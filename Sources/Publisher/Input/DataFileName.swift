internal import Platform

/// The parts of the name of a data file in the input.
struct DataFileName {
  private let name: String

  /// Extensions of files that are not map data; files without an extension are not, either.
  private static let documents: Set<String> = [
    "md", "txt", "rst", "html", "htm", "pdf", "xml", "log", "sha256", "md5", "asc", "sig", "bak", "tmp",
    "part",
  ]

  private static let archives: Set<String> = ["zip", "tar", "tgz", "txz", "tzst", "7z", "rar"]

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

  /// Several files in one.
  var isArchive: Bool {
    name.parts(separatedBy: ".").dropFirst().contains { DataFileName.archives.contains($0.lowercased()) }
  }

  /// From the first dot on, in lower case.
  var ending: String { name.parts(separatedBy: ".", limit: 2).dropFirst().first?.lowercased() ?? "" }

  /// The part before the first dot.
  var stem: String { name.parts(separatedBy: ".", limit: 2)[0] }

  /// It has the year 1900 to 2099, alone or with a month or a day: 2023, 202306 or 20230630.
  var hasDate: Bool {
    name.utf8.split { !DataFileName.isDigit($0) }.contains { digits in
      guard digits.starts(with: "19".utf8) || digits.starts(with: "20".utf8) else { return false }
      let (month, day) = (digits.dropFirst(4).prefix(2), digits.dropFirst(6))
      return digits.count == 4
        || (digits.count == 6 || digits.count == 8 && DataFileName.is(day, in: 1...31))
          && DataFileName.is(month, in: 1...12)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  private static func `is`(_ digits: Substring.UTF8View, in range: ClosedRange<Int>) -> Bool {
    Int(Substring(digits)).map { range.contains($0) } ?? false
  }

  /// The part after the last dot, in lower case; nil without a dot.
  private var fileExtension: String? {
    let parts = name.parts(separatedBy: ".")
    guard parts.count > 1, let last = parts.last, !last.isEmpty else { return nil }
    return last.lowercased()
  }
}
