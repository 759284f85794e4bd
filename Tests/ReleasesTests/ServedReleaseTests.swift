import Crypto
import MapModel
import Releases
import Testing
import TrustTestSupport

@testable import Trust

@Suite("Served release")
struct ServedReleaseTests {
  private static let digest = String(repeating: "ab", count: 32)

  /// What the program makes of a target of that path, with these members of `custom`.
  private func release(_ path: String, custom: JSONTree, hash: String = "sha256") throws -> ServedRelease? {
    let repository = try SignedRepository()
    repository.targets[["targets", path]] = [
      "length": 7, "hashes": .object([hash: .text(Self.digest)]), "custom": custom,
    ]
    let bytes = try repository.sign(repository.targets, by: "targets")
    let targets = try Targets(Envelope(bytes, file: "targets.json"))
    var found: ServedRelease?
    try targets.forEachTarget { target, custom in found = ServedRelease(target, custom: custom) }
    return found
  }

  @Test("a catalog says its number, label, application version and share")
  func everything() throws {
    let release = try release(
      "catalogs/4.update.xz",
      custom: [
        "release": 4, "label": "four", "minimumApplication": 3, "rollout": 25, "x": 1,
        "effective": "2024-07-01T00:00:00Z", "expires": "2024-07-02T00:00:00Z",
      ])
    #expect(
      release
        == ServedRelease(
          Release(number: 4, label: "four"),
          catalog: CatalogReference(digest: try #require(Digest(hex: Self.digest)), size: 7),
          minimumApplication: 3, rollout: 25, effective: 1_719_792_000, expires: 1_719_878_400))
    #expect(release?.catalogURL == "catalogs/\(Self.digest).4.update.xz")
    #expect(
      try self.release("catalogs/4.update.xz", custom: ["release": 4, "label": "four"])?.rollout == 100)
  }

  @Test(
    "a target that is not a catalog, or contradicts itself, is not a release",
    arguments: [
      ("maps/a.map", ["release": 4, "label": "a"]), ("catalogs/5.update.xz", ["release": 4, "label": "a"]),
      ("catalogs/04.update.xz", ["release": 4, "label": "a"]),
      ("catalogs/0.update.xz", ["release": 0, "label": "a"]),
      ("catalogs/4.update.xz", ["release": "4", "label": "a"]), ("catalogs/4.update.xz", ["release": 4]),
      ("catalogs/4.update.xz", []), ("catalogs/4.update.xz", ["release": 4, "label": "a", "rollout": 101]),
      ("catalogs/4.update.xz", ["release": 4, "label": "a", "rollout": -1]),
      ("catalogs/4.update.xz", ["release": 4, "label": "a", "minimumApplication": -1]),
      ("catalogs/4.update.xz", ["release": 4, "label": "a", "effective": 1_719_792_000]),
      ("catalogs/4.update.xz", ["release": 4, "label": "a", "effective": "2024-06-31T00:00:00Z"]),
      ("catalogs/4.update.xz", ["release": 4, "label": "a", "effective": "tomorrow"]),
      ("catalogs/4.update.xz", ["release": 4, "label": "a", "expires": 0]),
      ("catalogs/4.update.xz", ["release": 4, "label": "a", "expires": "never"]),
    ] as [(String, JSONTree)])
  func none(path: String, custom: JSONTree) throws {
    #expect(try release(path, custom: custom) == nil)
  }

  private static let back: JSONTree = [
    "release": 3, "label": "three", "length": 9,
    "hashes": ["sha256": .text(String(repeating: "cd", count: 32))],
  ]

  @Test("a recalled release says why, and by which catalog devices go back; both catalogs are listed by it")
  func recalled() throws {
    let release = try #require(
      try release(
        "catalogs/4.update.xz",
        custom: [
          "release": 4, "label": "four", "rollout": 0,
          "recalled": ["because": "the ferries are missing", "back": Self.back],
        ]))
    let back = try #require(release.recall?.back)
    #expect(release.recall?.reason == "the ferries are missing")
    #expect(back.release == Release(number: 3, label: "three") && back.catalog.size == 9)
    #expect(release.listed(by: release.catalog.digest) == release.cataloged)
    #expect(release.listed(by: back.catalog.digest) == back)
    #expect(release.listed(by: Digest()) == nil)
    let without = try self.release(
      "catalogs/4.update.xz", custom: ["release": 4, "label": "four", "recalled": ["because": "x"]])
    #expect(without?.recall != nil && without?.recall?.back == nil)
  }

  @Test(
    "a recall without a reason that can be shown, or with a way back that is none, makes the target no release",
    arguments: [
      "x", 1, [:], ["because": 1], ["because": ""], ["because": "two\nlines"],
      ["because": "\u{9b}2J"], ["because": "\u{202e}x"],
      ["because": .text(String(repeating: "x", count: 301))],
      ["because": "x", "back": "3"], ["because": "x", "back": [:]],
      ["because": "x", "back": Self.back.without("label")],
      ["because": "x", "back": Self.back.without("length")],
      ["because": "x", "back": Self.back.without("hashes")],
      ["because": "x", "back": Self.back.with("release", 0)],
      ["because": "x", "back": Self.back.with("label", "a/b")],
      ["because": "x", "back": Self.back.with("length", -1)],
      ["because": "x", "back": Self.back.with("hashes", ["sha256": "abc"])],
    ] as [JSONTree])
  func noRecall(value: JSONTree) throws {
    let custom: JSONTree = ["release": 4, "label": "four", "recalled": value]
    #expect(try release("catalogs/4.update.xz", custom: custom) == nil)
  }

  @Test("a catalog without a SHA-256 is not a release")
  func noDigest() throws {
    #expect(try release("catalogs/4.update.xz", custom: ["release": 4, "label": "a"], hash: "sha512") == nil)
  }
}

extension JSONTree {
  fileprivate func with(_ name: String, _ value: JSONTree) -> JSONTree {
    var tree = self
    tree[[name]] = value
    return tree
  }

  fileprivate func without(_ name: String) -> JSONTree {
    guard case .object(var members) = self else { return self }
    members[name] = nil
    return .object(members)
  }
}
