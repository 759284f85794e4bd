internal import Catalog
internal import Crypto
internal import DeltaCreate
internal import Platform

/// How the nouns of a catalog are written for people and for programs.
enum Output {
  /// Says on standard error that patches will be larger than they could be, if the zlib is not that of the devices.
  static func warnOfZlib() {
    guard !PatchMaker.encodesStreams else { return }
    Terminal.writeLine(
      "tinypublish: this program's zlib compresses differently from zlib 1.2.13, which devices have: "
        + "compressed contents are not looked into, and patches are larger. Use the program that "
        + "\"make publisher\" builds on Debian 12.", to: .error)
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

  /// Writes lines to standard output, without what would steer a terminal: files to look at come from anywhere.
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

  static func json(_ name: ComponentName) -> JSON {
    var json = JSON()
    json.add("id", name.id)
    json.add("dataGroup", name.dataGroup)
    return json
  }

  static func json(_ description: Description) -> JSON {
    var json = json(description.name)
    json.add("group", description.group)
    json.add("country", description.country)
    json.add("region", description.region)
    json.add("release", description.release.number)
    json.add("label", description.release.label)
    json.add("dataSize", description.dataSize)
    json.add("indexSize", description.indexSize)
    json.add("minimumReader", description.minimumReader)
    if description.isDetail { json.add("detail", true) }
    add(description.geography, to: &json)
    return json
  }

  static func json(_ region: Region) -> JSON {
    var json = JSON()
    json.add("id", region.id)
    json.add("names", region.names.map { Output.json($0) })
    return json
  }

  private static func json(_ name: LocalizedName) -> JSON {
    var json = JSON()
    json.add("language", name.language.isEmpty ? "en" : name.language)
    json.add("name", name.text)
    return json
  }

  static func add(_ geography: Geography, to json: inout JSON) {
    json.add("names", geography.names.map { Output.json($0) })
    if let bounds = geography.bounds {
      // As texts: a number in JSON may lose the last digit in a reader.
      var box = JSON()
      box.add("south", bounds.south.text)
      box.add("west", bounds.west.text)
      box.add("north", bounds.north.text)
      box.add("east", bounds.east.text)
      json.add("bounds", box)
    }
    json.add("polygons", geography.polygons.count)
  }

  static func json(_ entry: CatalogEntry) -> JSON {
    var json = json(entry.description)
    json.add("url", entry.url)
    json.add("size", entry.size)
    json.add("sha256", entry.digest.hex)
    if let packed = entry.packed { json.add("packed", Output.json(packed)) }
    json.add(
      "patches",
      entry.patches.map { patch in
        var json = JSON()
        json.add("from", patch.from.hex)
        if let to = patch.to {
          json.add("to", to.digest.hex)
          json.add("toSize", to.size)
        }
        json.add("container", Output.json(patch.container))
        return json
      })
    return json
  }

  static func json(_ container: Container) -> JSON {
    var json = JSON()
    json.add("url", container.url)
    json.add("size", container.size)
    json.add("head", container.head.hex)
    json.add("memory", container.memory)
    return json
  }
}
