import Catalog
import Crypto
import DeltaApply
import DeltaCreate
import DeltaTestSupport
import MapModel
import MapTestSupport
import Platform
import TestSupport
import Testing
import TrustTestSupport

/// A repository below a temporary directory, served over `file:`, that is signed and published by the test itself.
final class TestRepository {
  /// How the components of a release are served.
  enum Form {
    /// As they are.
    case whole
    /// Packed, and as they are.
    case packed
    /// By a patch from the release before, packed, and as they are.
    case patched
  }

  let scratch: Scratch
  private let signed: SignedRepository
  private(set) var releases: [Release] = []
  /// The entries of the newest release by their names, and the bytes of their files.
  private(set) var entries: [String: CatalogEntry] = [:]
  private(set) var files: [String: [UInt8]] = [:]
  /// How the containers are made.
  var options = PatchMaker.Options()
  /// Packages of a part of a catalog; nil for catalogs without parts.
  var packagesOfPart = TestRepository.usualPackagesOfPart
  /// The parts of catalogs are read by their outlines, or not at all.
  var hasOutlinesOnly = false
  /// The parts of the newest release's catalog, of all levels.
  private(set) var parts: [CatalogPart] = []

  init() throws {
    scratch = try Scratch("repository")
    signed = try SignedRepository()
    signed.root["expires"] = TestRepository.expiry
    signed.timestamp["expires"] = TestRepository.expiry
    signed.snapshot["expires"] = TestRepository.expiry
    signed.targets["expires"] = TestRepository.expiry
    try signed.publishRoot()
  }

  private static let expiry: JSONTree = "2199-12-31T00:00:00Z"

  var url: String { "file://\(scratch.path)" }
  /// The root that devices are provisioned with.
  var rootPath: String { "\(scratch.path)/metadata/1.root.json" }

  /// Publishes the next release with these files, named such as "a/b base".
  @discardableResult
  func publish(_ contents: [String: [UInt8]], as form: Form = .whole) throws -> Release {
    let release = Release(number: UInt64(releases.count + 1), label: "r\(releases.count + 1)")
    let old = (entries: entries, files: files)
    (entries, files) = ([:], contents)
    var listed: [CatalogEntry] = []
    for name in contents.keys.sorted() {
      let bytes = contents[name, default: []]
      // A component that did not change keeps its file and its entry.
      let entry =
        if old.files[name] == bytes, let unchanged = old.entries[name] {
          unchanged
        } else {
          try self.entry(name, bytes: bytes, in: release, from: old.files[name], form: form)
        }
      entries[name] = entry
      listed.append(entry)
    }
    let catalog = try DividedCatalog(
      listed, of: release, packagesOfPart: packagesOfPart, hasOutlinesOnly: hasOutlinesOnly)
    parts = catalog.parts.map(\.part)
    for (part, bytes) in catalog.parts { try scratch.write(part.url, bytes) }
    try serve(catalog: catalog.bytes, for: release)
    releases.append(release)
    return release
  }

  private func entry(
    _ name: String, bytes: [UInt8], in release: Release, from old: [UInt8]?, form: Form
  ) throws -> CatalogEntry {
    let words = name.split(separator: " ").map { String($0) }
    let name = try #require(ComponentName(words[0], dataGroup: words[1]))
    let digest = try Hasher.digest(of: bytes.span.bytes)
    let description = Description(
      name: name, group: "", country: "", region: "",
      release: release, dataSize: UInt64(bytes.count))
    var entry = CatalogEntry(
      description: description, url: "components/\(digest.hex).dat", size: UInt64(bytes.count),
      digest: digest)
    try scratch.write(entry.url, bytes)
    if form != .whole { entry.packed = try container(old: [], new: bytes) }
    if form == .patched, let old {
      let from = try Hasher.digest(of: old.span.bytes)
      entry.patches = [Patch(from: from, container: try container(old: old, new: bytes))]
    }
    return entry
  }

  private func container(old: [UInt8], new: [UInt8]) throws -> Container {
    let patch = try PatchMaker(options).make(old: old.span, new: new.span)
    let url = "payloads/\(patch.headDigest.hex).patch"
    try scratch.write(url, patch.bytes)
    return Container(
      url: url, size: UInt64(patch.bytes.count), head: patch.headDigest, memory: patch.head.memoryNeeded)
  }

  /// `TINYUPDATER_TEST_PARTS` gives the catalogs of all tests parts of that many packages.
  private static var usualPackagesOfPart: Int? { environment("TINYUPDATER_TEST_PARTS").flatMap { Int($0) } }

  private func serve(catalog: [UInt8], for release: Release) throws {
    let digest = try Hasher.digest(of: catalog.span.bytes)
    try scratch.write("catalogs/\(digest.hex).\(release.number).update.xz", catalog)
    signed.targets[["targets", "catalogs/\(release.number).update.xz"]] = [
      "length": .number(catalog.count), "hashes": ["sha256": .text(digest.hex)],
      "custom": ["release": .number(Int(release.number)), "label": .text(release.label)],
    ]
    if release.number > 1 { signed.bump("timestamp", "snapshot", "targets") }
    try sign()
  }

  private func sign() throws {
    try signed.publish()
    for (name, bytes) in signed.files { try scratch.write("metadata/\(name)", bytes) }
  }

  /// No longer lists the release with this number.
  func withdraw(_ number: Int) throws {
    signed.targets[["targets", "catalogs/\(number).update.xz"]] = nil
    signed.bump("timestamp", "snapshot", "targets")
    try sign()
  }

  // MARK: - What goes wrong

  /// Changes one byte in the middle of a served file.
  func damage(_ url: String) throws {
    var bytes = try scratch.read(url)
    bytes[bytes.count / 2] ^= 0x55
    try scratch.write(url, bytes)
  }

  /// No longer serves a file.
  func remove(_ url: String) throws { try Directory(opening: scratch.path).remove(url) }
}

/// Bytes that compress somewhat, and differ by `seed`.
func mapBytes(_ count: Int, seed: UInt64) -> [UInt8] {
  var random = SeededGenerator(seed)
  return random.bytes(count, values: 40)
}
