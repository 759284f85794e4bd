internal import Crypto
internal import JSONReading
internal import MapModel
internal import Platform
internal import Releases
internal import Trust

/// The signed parts of the metadata files (TUF 1.0, section 4), with our own `issued` and `custom`.
enum MetadataText {
  /// The members that all of them have; times in seconds since 1970.
  struct Head: Equatable {
    let version: UInt64
    let issued: Int64
    let expires: Int64
  }

  private static var specification: String { "1.0.31" }

  static func begin(_ role: Root.TopLevel, head: Head) -> JSON {
    var json = JSON()
    json.add("_type", role.name)
    json.add("spec_version", specification)
    json.add("version", head.version)
    json.add("issued", Clock.timestamp(head.issued))
    json.add("expires", Clock.timestamp(head.expires))
    return json
  }

  static func targets(_ releases: [ServedRelease], head: Head) -> JSON {
    var list = JSON()
    for release in releases {
      var custom = JSON()
      custom.add("release", release.number)
      custom.add("label", release.label)
      if release.minimumApplication > 0 { custom.add("minimumApplication", release.minimumApplication) }
      if release.rollout < 100 { custom.add("rollout", release.rollout) }
      if let effective = release.effective { custom.add("effective", Clock.timestamp(effective)) }
      if let expires = release.expires { custom.add("expires", Clock.timestamp(expires)) }
      if let recall = release.recall { custom.add("recalled", recalled(recall)) }
      var target = JSON()
      target.add("custom", custom)
      target.add("hashes", hashes(release.catalog.digest))
      target.add("length", release.catalog.size)
      list.add(release.path.text, target)
    }
    var json = begin(.targets, head: head)
    json.add("targets", list)
    return json
  }

  private static func recalled(_ recall: Recall) -> JSON {
    var json = JSON()
    json.add("because", recall.reason)
    guard let back = recall.back else { return json }
    var release = JSON()
    release.add("release", back.release.number)
    release.add("label", back.release.label)
    release.add("hashes", hashes(back.catalog.digest))
    release.add("length", back.catalog.size)
    json.add("back", release)
    return json
  }

  /// Snapshot and timestamp, which each list one other file.
  static func listing(_ file: SignedFile, in role: Root.TopLevel, head: Head) throws(PublisherError) -> JSON {
    let bytes = file.bytes
    var entry = JSON()
    do throws(HasherError) { entry.add("hashes", hashes(try Hasher.digest(of: bytes.span.bytes))) } catch {
      throw .library(.hashing(path: file.name))
    }
    entry.add("length", bytes.count)
    entry.add("version", file.version)
    var meta = JSON()
    meta.add("\(file.role.name).json", entry)
    var json = begin(role, head: head)
    json.add("meta", meta)
    return json
  }

  private static func hashes(_ digest: Digest) -> JSON {
    var json = JSON()
    json.add("sha256", digest.hex)
    return json
  }
}
