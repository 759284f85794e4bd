package import Platform

/// The format of a store: what a program has to know to work with it (`docs/format/store.md`, Format).
///
/// The file `format` has its number. A store without that file has format 1: it is older than the file.
package enum StoreFormat {
  /// The newest one that this program knows, and the one that it writes.
  static var newest: UInt64 { 1 }
  static var fileName: String { "format" }

  /// Refuses a store that a newer program has written; what is none is left to the command.
  ///
  /// Every command looks at it first, also those that only read.
  package static func check(_ path: String) throws(Failure) {
    let root: Directory
    do throws(Failure) { root = try Directory(opening: path) } catch { return }
    _ = try check(root)
  }

  /// The same of the store in `root`; false if its format is not written down.
  static func check(_ root: borrowing Directory) throws(Failure) -> Bool {
    guard let status = try root.status(of: fileName) else { return false }
    var number: UInt64?
    if status.kind == .file, status.size <= StoreLimits.formatFile {
      let bytes = try root.open(fileName).bytes(upTo: StoreLimits.formatFile)
      if bytes.last == UInt8(ascii: "\n") { number = UInt64(ascii: bytes.dropLast()) }
    }
    guard let number, number > 0 else { throw .unusableStore(path: root.path, .badFormat) }
    guard number <= newest else {
      throw .unusableStore(path: root.path, .newerFormat(number, known: newest))
    }
    return true
  }

  /// Writes it down where it is not.
  ///
  /// A file system that refuses that keeps no device from its maps: the next command that changes something tries again.
  static func note(in root: borrowing Directory) throws(Failure) {
    guard try !check(root) else { return }
    do throws(Failure) { try root.replace(fileName, with: Array("\(newest)\n".utf8)) } catch {
      Log.add(.warning, text: "\(error.cause); the format of the store is not written down yet")
    }
  }
}
