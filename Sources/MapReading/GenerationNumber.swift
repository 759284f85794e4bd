package import Platform

/// The numbers by which generations are named, and the link `current` that names one (`docs/readers.md`).
package enum GenerationNumber {
  /// The number of a generation with this name; nil if it is not the name of one.
  ///
  /// Counting never comes near the limit; a stray name that does must not use the numbers up.
  package static func of(_ name: String) -> UInt64? {
    guard let number = UInt64(ascii: name.utf8), number < 1 << 60, name == "\(number)" else { return nil }
    return number
  }

  /// The number of the current generation; nil if nothing is installed.
  package static func current(in root: borrowing Directory) throws(Failure) -> UInt64? {
    let path = "\(root.path)/current"
    let link: String?
    do throws(Failure) { link = try root.readSymbolicLink("current") } catch {
      // EINVAL: it is there, and no symbolic link.
      throw error.errno == .invalid ? .unusableStore(path: path, .strayCurrent) : error
    }
    guard let link else { return nil }
    let parts = link.parts(separatedBy: "/")
    guard parts.count == 2, parts[0] == "generations", let number = of(parts[1]) else {
      throw .unusableStore(path: path, .strayCurrent)
    }
    return number
  }
}
