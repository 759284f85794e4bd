/// Names that were met, by what they have in common with those that look like them.
struct Spellings {
  /// Strings are equal here if they are canonically equivalent (Unicode Standard Annex 15).
  private var found: [String: (name: String, path: String)] = [:]

  /// Refuses a name that differs from an earlier one only in capital letters or in its Unicode form.
  mutating func add(_ name: String, of path: String) throws(PublisherError) {
    let key = name.lowercased()
    guard let earlier = found[key] else {
      found[key] = (name, path)
      return
    }
    guard earlier.name.utf8.elementsEqual(name.utf8) else {
      throw .input(.similarNames(earlier.name, name, first: earlier.path, second: path))
    }
  }
}
