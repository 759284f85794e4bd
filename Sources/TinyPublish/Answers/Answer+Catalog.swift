internal import Catalog
internal import Crypto
internal import JSONCoding
internal import JSONReading
internal import MapModel

/// The contents of a catalog.
extension Answer {
  struct Component: Encodable {
    let id: String
    let dataGroup: String
    let path: String

    init(_ name: ComponentName) { (id, dataGroup, path) = (name.id.text, name.dataGroup.text, name.path) }
  }

  struct Description: Encodable {
    let group: String
    let country: String
    let region: String
    let release: UInt64
    let label: String
    let dataSize: UInt64
    let indexSize: UInt64
    let minimumReader: UInt64
    let detail: Bool?

    static func members(
      _ description: Catalog.Description
    ) -> Joined<Component, Joined<Description, Geography>> {
      Joined(
        Component(description.name),
        Joined(Description(description), Geography(description.geography)))
    }

    private init(_ description: Catalog.Description) {
      group = description.group
      country = description.country
      region = description.region
      release = description.release.number
      label = description.release.label
      dataSize = description.dataSize
      indexSize = description.indexSize
      minimumReader = description.minimumReader
      detail = description.isDetail ? true : nil
    }
  }

  struct Geography: Encodable {
    let names: [Name]
    let bounds: Bounds?
    /// Their number.
    let polygons: Int

    init(_ geography: Catalog.Geography) {
      names = geography.names.map(Name.init)
      bounds = geography.bounds.map(Bounds.init)
      polygons = geography.polygons.count
    }
  }

  struct Name: Encodable {
    let language: String
    let name: String

    init(_ name: LocalizedName) {
      language = name.language.isEmpty ? "en" : name.language
      self.name = name.text
    }
  }

  /// As text: a number may lose its last digit in a reader.
  struct Bounds: Encodable {
    let south: String
    let west: String
    let north: String
    let east: String

    init(_ bounds: Catalog.Bounds) {
      (south, west) = (bounds.south.text, bounds.west.text)
      (north, east) = (bounds.north.text, bounds.east.text)
    }
  }

  struct Region: Encodable {
    let id: String
    let names: [Name]

    init(_ region: Catalog.Region) {
      id = region.id.text
      names = region.names.map(Name.init)
    }
  }

  /// The files of a component, after its description.
  struct Files: Encodable {
    let url: String
    let size: UInt64
    let sha256: String
    let packed: Container?
    let patches: [Patch]

    init(_ entry: CatalogEntry) {
      url = entry.url
      size = entry.size
      sha256 = entry.digest.hex
      packed = entry.packed.map(Container.init)
      patches = entry.patches.map(Patch.init)
    }
  }

  typealias Entry = Joined<Joined<Component, Joined<Description, Geography>>, Files>

  static func entry(_ entry: CatalogEntry) -> Entry {
    Joined(Description.members(entry.description), Files(entry))
  }

  struct Patch: Encodable {
    let from: String
    let to: String?
    let toSize: UInt64?
    let container: Container

    init(_ patch: Catalog.Patch) {
      from = patch.from.hex
      to = patch.to?.digest.hex
      toSize = patch.to?.size
      container = Container(patch.container)
    }
  }

  struct Container: Encodable {
    let url: String
    let size: UInt64
    let head: String
    let memory: UInt64
    let recompressed: UInt64

    init(_ container: Catalog.Container) {
      url = container.url
      size = container.size
      head = container.head.hex
      memory = container.memory
      recompressed = container.recompressed
    }
  }

  struct Part: Encodable {
    let first: String
    let last: String
    let level: UInt64
    let packages: UInt32
    let flat: Bool?
    let url: String
    let size: UInt64
    let sha256: String
    let bounds: Bounds?
    let groups: [Group]

    struct Group: Encodable {
      let name: String
      let components: UInt32
      let size: UInt64
      let download: UInt64
      let indexSize: UInt64
    }

    init(_ part: CatalogPart) {
      (first, last, level, packages) = (part.first.text, part.last.text, part.level, part.packages)
      flat = part.isFlat ? true : nil
      (url, size, sha256) = (part.url, part.file.size, part.file.digest.hex)
      bounds = part.bounds.map(Bounds.init)
      groups = part.groups.map {
        Group(
          name: $0.name.text, components: $0.components, size: $0.size, download: $0.download,
          indexSize: $0.indexSize)
      }
    }
  }
}
