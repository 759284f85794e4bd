internal import Crypto
internal import MapModel
internal import Platform

// The line of a component in a manifest (`docs/format/store.md`, Manifest).

extension InstalledComponent {
  /// With its line feed.
  var manifestLine: String {
    let numbers = "\(name.front) \(release) \(size) \(digest.hex)"
    guard name.isDescribed else {
      return "file \(numbers) \(index.map { "\($0.size):\($0.digest.hex)" } ?? "-")\(name.tail)\n"
    }
    return "component \(numbers)\(index.map { " \($0.size) \($0.digest.hex)" } ?? "")\n"
  }

  /// Nil if the words are not those of a component.
  init?(manifest words: [String]) {
    guard words.count >= 6, let release = UInt64(ascii: words[3].utf8),
      let size = UInt64(ascii: words[4].utf8),
      let digest = Digest(hex: words[5])
    else { return nil }
    let index: [String]
    let path: ArraySlice<String>
    switch (words[0], words.count) {
    case ("component", 6), ("component", 8): (index, path) = (Array(words[6...]), [])
    case ("file", 8...):
      (index, path) = (words[6] == "-" ? [] : words[6].parts(separatedBy: ":"), words[7...])
    default: return nil
    }
    guard let name = ComponentName(words[1], words[2], tail: path) else { return nil }
    self.init(name, release: release, size: size, digest: digest)
    if index.isEmpty { return }
    guard index.count == 2, let indexSize = UInt64(ascii: index[0].utf8),
      let indexDigest = Digest(hex: index[1])
    else { return nil }
    self.index = InstalledIndex(size: indexSize, digest: indexDigest)
  }
}
