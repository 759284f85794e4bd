internal import Catalog
internal import Crypto
internal import DeltaCreate
internal import MapModel
internal import Platform
internal import Publisher

/// How the contents of a catalog are written as JSON.
extension Output {
  static func json(_ name: ComponentName) -> JSON {
    var json = JSON()
    add(name, to: &json)
    return json
  }

  static func add(_ name: ComponentName, to json: inout JSON) {
    json.add("id", name.id)
    json.add("dataGroup", name.dataGroup)
    json.add("path", name.path)
  }

  /// What devices lose by a release.
  static func add(_ lost: LostPackages, to json: inout JSON) {
    json.add(
      "lost",
      lost.ids.map { id in
        var json = JSON()
        json.add("id", id)
        json.add("successors", lost.successors.filter { $0.old == id }.map(\.new))
        return json
      })
  }

  static func json(_ file: IgnoredFile) -> JSON {
    var json = JSON()
    add(file, to: &json)
    return json
  }

  static func add(_ file: IgnoredFile, to json: inout JSON) {
    json.add("path", file.path)
    json.add("reason", file.reason.text)
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
    if let bounds = geography.bounds { json.add("bounds", Output.json(bounds)) }
    json.add("polygons", geography.polygons.count)
  }

  private static func json(_ bounds: Bounds) -> JSON {
    // As strings: a JSON number may lose its last digit in a reader.
    var box = JSON()
    box.add("south", bounds.south.text)
    box.add("west", bounds.west.text)
    box.add("north", bounds.north.text)
    box.add("east", bounds.east.text)
    return box
  }

  static func json(_ part: CatalogPart) -> JSON {
    var json = JSON()
    json.add("first", part.first)
    json.add("last", part.last)
    json.add("level", part.level)
    json.add("packages", Int(part.packages))
    if part.isFlat { json.add("flat", true) }
    json.add("url", part.url)
    json.add("size", part.file.size)
    json.add("sha256", part.file.digest.hex)
    if let bounds = part.bounds { json.add("bounds", Output.json(bounds)) }
    json.add(
      "groups",
      part.groups.map { group in
        var json = JSON()
        json.add("name", group.name)
        json.add("components", Int(group.components))
        json.add("size", group.size)
        json.add("download", group.download)
        json.add("indexSize", group.indexSize)
        return json
      })
    return json
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

  /// How matches were searched for.
  static func json(_ plan: SearchBudget) -> JSON {
    var json = JSON()
    json.add("index", plan.index.name)
    json.add("streams", plan.searchesStreams)
    json.add("numbers", plan.searchesNumbers)
    json.add("memory", plan.memory)
    return json
  }

  static func json(_ container: Container) -> JSON {
    var json = JSON()
    json.add("url", container.url)
    json.add("size", container.size)
    json.add("head", container.head.hex)
    json.add("memory", container.memory)
    json.add("recompressed", container.recompressed)
    return json
  }
}
