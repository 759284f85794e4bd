internal import Crypto
internal import MapModel
internal import MapReading
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
    guard let line = ManifestLine(words), let digest = Digest(hex: line.digest),
      let name = ComponentName(line.id, dataGroup: line.group, file: line.file)
    else { return nil }
    self.init(name, release: line.release, size: line.size, digest: digest)
    guard let index = line.index else { return }
    guard let indexDigest = Digest(hex: index.digest) else { return nil }
    self.index = InstalledIndex(size: index.size, digest: indexDigest)
  }
}
