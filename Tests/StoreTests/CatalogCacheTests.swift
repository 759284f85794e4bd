import Crypto
import MapModel
import Platform
import TestSupport
import Testing

@testable import Store

@Suite("The newest known release")
struct CatalogCacheTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch("catalogs") }

  private func open(waiting: CatalogWait = .someSeconds) throws(Failure) -> LockedCatalogCache {
    try LockedCatalogCache(CatalogCache(making: scratch.path), waiting: waiting)
  }

  @Test("it is remembered, with a release that is only announced", arguments: [false, true])
  func remembered(isAnnounced: Bool) throws {
    let release = KnownRelease(
      CatalogedRelease(
        Release(number: 4, label: "2024-04"),
        catalog: CatalogReference(digest: try Fixture.digest("catalog"), size: 99)),
      announced: isAnnounced
        ? AnnouncedRelease(Release(number: 5, label: "next"), minimumApplication: 7) : nil)
    let cache = try open()
    #expect(try cache.reading.known() == nil)
    try cache.remember(release)
    #expect(try CatalogCache.known(in: scratch.path) == release)
    let text = try scratch.read("catalogs/newest")
    for count in 0..<text.count {
      try scratch.write("catalogs/newest", Array(text[..<count]))
      #expect(try cache.reading.known() == nil, "\(count)")
    }
  }

  @Test("a label in other bytes is remembered")
  func label() throws {
    let cache = try open()
    let catalog = CatalogReference(digest: try Fixture.digest("catalog"), size: 99)
    for label in ["\u{e9}t\u{e9}", "e\u{301}te\u{301}"] {
      try cache.remember(KnownRelease(CatalogedRelease(Release(number: 4, label: label), catalog: catalog)))
      #expect(try cache.reading.known()?.newest.release.label.utf8.elementsEqual(label.utf8) == true)
    }
  }

  @Test("all catalogs but one are removed, with what was begun of others")
  func cleared() throws {
    let kept = try Fixture.digest("kept")
    for name in [kept.hex, kept.hex + ".part", try Fixture.digest("other").hex, "newest", "rest.part"] {
      try scratch.write("catalogs/\(name)", "x")
    }
    try open().clear(keeping: [kept])
    #expect(try scratch.names("catalogs") == [kept.hex, kept.hex + ".part", "newest"])
  }

  @Test("a caller that does not wait for another process finds it busy at once")
  func busy() throws {
    let holder = try open()
    let error = Fixture.error { () throws(Failure) in _ = try open(waiting: .none) }
    #expect(error == .busy(path: "\(scratch.path)/catalogs"))
    _ = consume holder
    _ = try open(waiting: .none)
  }

  @Test("nothing is known where nothing was ever asked")
  func nothing() throws {
    #expect(try CatalogCache.known(in: scratch.path) == nil)
  }
}

extension CatalogCache {
  fileprivate static func known(in root: String) throws -> KnownRelease? {
    switch try CatalogCache.open(root) {
    case .some(let cache): return try cache.known()
    case .none: return nil
    }
  }
}
