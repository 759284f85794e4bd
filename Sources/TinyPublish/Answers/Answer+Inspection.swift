internal import Catalog
internal import CatalogWriting
internal import Crypto
internal import JSONCoding
internal import MapModel
internal import PatchFormat
internal import Platform
internal import Publisher
internal import Releases
internal import Trust

/// The answer of `inspect`, by the kind of the file.
extension Answer {
  /// - `contents`: of a patch, if that was asked for.
  static func inspection(_ inspection: Inspection, contents: PatchContents?) -> any Encodable {
    switch inspection {
    case .component(let component, let size, let digest):
      Joined(Kind("component"), InspectedComponent(component, size: size, digest: digest))
    case .plain(let size, let digest): Joined(Kind("plain"), PlainFile(size: size, sha256: digest.hex))
    case .catalog(let document):
      Joined(Kind(document.release == nil ? "part" : "catalog"), InspectedCatalog(document))
    case .patch(let patch):
      Joined(
        Kind(patch.head.oldSize == 0 ? "packed" : "patch"),
        Joined(InspectedPatch(patch), Contents(contents)))
    case .metadata(let metadata): Joined(Kind("metadata"), InspectedMetadata(metadata))
    case .map(let map): Joined(Kind("map"), Joined(InspectedMap(map), Geography(map.geography)))
    }
  }

  struct Kind: Encodable {
    let format = 1
    let kind: String

    init(_ kind: String) { self.kind = kind }
  }

  struct InspectedComponent: Encodable {
    let component: Joined<Component, Joined<Description, Geography>>
    let dataOffset: UInt64
    let size: UInt64
    let sha256: String

    init(_ file: ComponentFile, size: UInt64, digest: Digest) {
      component = Description.members(file.description)
      (dataOffset, self.size, sha256) = (file.dataOffset, size, digest.hex)
    }
  }

  struct PlainFile: Encodable {
    let size: UInt64
    let sha256: String
  }

  struct InspectedCatalog: Encodable {
    let release: UInt64?
    let label: String?
    let components: [Entry]
    let parts: [Part]
    let regions: [Region]

    init(_ document: CatalogDocument) {
      (release, label) = (document.release?.number, document.release?.label)
      components = document.components.map(Answer.entry)
      parts = document.parts.map(Part.init)
      regions = document.regions.map(Region.init)
    }
  }

  struct InspectedMap: Encodable {
    let id: String?
    let group: String?
    let country: String?
    let region: String?

    init(_ map: MapFile) { (id, group, country, region) = (map.id?.text, map.group, map.country, map.region) }
  }

  struct InspectedMetadata: Encodable {
    let role: String
    let version: UInt64
    let expires: String
    let threshold: Int?
    let signatures: [Signature]
    let releases: [ServedRelease]?
    let roles: [Role]?

    struct Signature: Encodable {
      let keyid: String
      let isValid: Bool?
    }

    struct ServedRelease: Encodable {
      let release: UInt64
      let label: String
      let rollout: UInt64
      let effective: String?
      let expires: String?
      let recalled: Recalled?
      let minimumApplication: UInt64
      let catalog: String
      let sha256: String
      let size: UInt64

      struct Recalled: Encodable {
        let because: String
        /// The number of the release that devices go back to by patches.
        let back: UInt64?

        init(_ recall: Releases.Recall) { (because, back) = (recall.reason, recall.back?.release.number) }
      }

      init(_ release: Releases.ServedRelease) {
        self.release = release.number
        (label, rollout) = (release.label, release.rollout)
        effective = release.effective.map { Clock.timestamp($0) }
        expires = release.expires.map { Clock.timestamp($0) }
        recalled = release.recall.map(Recalled.init)
        minimumApplication = release.minimumApplication
        (catalog, sha256, size) = (release.catalogURL, release.catalog.digest.hex, release.catalog.size)
      }
    }

    struct Role: Encodable {
      let role: String
      let threshold: Int
      let keyids: [String]

      static func all(_ content: RootContent) -> [Role] {
        Root.TopLevel.allCases.map { role in
          Role(role: role.name, threshold: content[role].threshold, keyids: content[role].keys.map(\.id))
        }
      }
    }

    init(_ metadata: MetadataInspection) {
      role = metadata.file.role.name
      version = metadata.file.version
      expires = Clock.timestamp(metadata.file.expires)
      threshold = metadata.threshold
      signatures = metadata.signatures.map { Signature(keyid: $0.keyID, isValid: $0.isValid) }
      releases = metadata.releases?.map(ServedRelease.init)
      roles = metadata.content.map(Role.all)
    }
  }
}
