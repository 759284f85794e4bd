internal import Catalog
internal import DeltaCreate
internal import MapModel
internal import Platform

/// How the contents of a catalog are printed.
enum Output {
  /// The warning that patches will be larger; nil if this zlib is that of the devices.
  static var zlibWarning: String? {
    guard !PatchMaker.encodesStreams else { return nil }
    return "this program's zlib compresses differently from zlib 1.2.13, which devices use: "
      + "compressed contents are not searched, and patches are larger. Use the program that "
      + "\"make publisher\" builds, which has the right one."
  }

  /// Aligned lines of a title and a value.
  static func lines(_ pairs: [(title: String, value: String)]) -> String {
    let width = pairs.map { $0.title.count }.max() ?? 0
    var text = ""
    for pair in pairs {
      text += pair.title + String(repeating: " ", count: width - pair.title.count + 2) + pair.value + "\n"
    }
    return text
  }

  /// Writes a warning or an error to standard error: one line without control characters, which paths may hold.
  static func warn(_ sentence: String) {
    Terminal.writeLine("tinypublish: \(sentence.printable())", to: .error)
  }

  /// Writes one line to standard output, without control characters.
  static func writeLine(_ line: String) { Terminal.writeLine(line.printable()) }

  /// Writes lines to standard output, without control characters: inspected files come from anywhere.
  static func write(_ text: String) {
    Terminal.write(text.printableLines)
  }

  /// Such as "1.02 MB (1019904 bytes)".
  static func size(_ bytes: UInt64) -> String {
    bytes < 1000 ? "\(bytes) bytes" : "\(ByteCount(bytes).text) (\(bytes) bytes)"
  }

  static func release(_ release: Release) -> String { "\(release.number), \(release.label)" }

  static func bounds(_ bounds: Bounds) -> String {
    "\(bounds.south.text) to \(bounds.north.text) north, \(bounds.west.text) to \(bounds.east.text) east"
  }
}
