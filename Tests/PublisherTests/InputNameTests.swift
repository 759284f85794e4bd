import MapModel
import Platform
import TestSupport
import Testing

@testable import Publisher

/// Names that cannot be published, or not beside each other.
@Suite("Names in the input")
struct InputNameTests {
  private let scratch: TestRepository

  init() throws { scratch = try TestRepository() }

  private func refusal() -> PublisherError? {
    do throws(PublisherError) {
      _ = try InputScanner.scan(
        InputSource(directory: scratch.input), release: Release(number: 1, label: "1"))
    } catch { return error }
    return nil
  }

  private func path(_ name: String) -> String { "\(scratch.input)/\(name)" }

  @Test("all names that cannot be published are in one sentence, ten at most")
  func several() throws {
    try scratch.write("good/base.x", [1])
    try scratch.write("bad\\package/base.x", [1])
    try scratch.write("good/bad\\group.x", [1])
    try scratch.write("good/tab\t.x", [1])
    try #require(
      refusal()
        == .input(
          .severalNames(
            [
              .noPackage(path: path("bad\\package/base.x")), .noDataGroup(path: path("good/bad\\group.x")),
              .controlCharacter(path: path("good/tab\t.x"), codePoint: "U+0009"),
            ], more: 0)))
    for number in 0..<10 { try scratch.write("good/\(number)\\.x", [1]) }
    guard case .input(.severalNames(let listed, more: 3)) = refusal() else {
      Issue.record("\(String(describing: refusal()))")
      return
    }
    #expect(listed.count == 10)
  }

  private func warnings() throws -> [ReleaseWarning] {
    try InputScanner.scan(InputSource(directory: scratch.input), release: Release(number: 1, label: "1"))
      .warnings
  }

  @Test(
    "a number that looks like a date is told from other numbers",
    arguments: [
      ("base_2023", true), ("base-20230630", true), ("malta202306", true), ("a/1999/b", true),
      ("base_4326", false), ("base_202313", false), ("base_20230600", false), ("base2", false),
      ("n120230", false),
      ("base_3023", false), ("", false),
    ])
  func dates(name: String, isDate: Bool) {
    #expect(DataFileName(name).hasDate == isDate)
  }

  @Test("dates in directories and in names of files give one warning")
  func dated() throws {
    try scratch.write("a/base.2023.x", [1])
    #expect(try warnings() == [])
    try scratch.write("a/poi_2023.06.x", [1])
    try scratch.write("malta 2023/base.x", [1])
    try scratch.write("malta 2023/map.xml", Array("<map id=\"malta\"/>".utf8))
    #expect(try warnings() == [.datedNames(first: path("a/poi_2023.06.x"), others: 0)])
    #expect(try warnings().first?.sentence.contains("--layout") == true)
    try scratch.write("malta-2024/base.x", [1])
    #expect(try warnings() == [.datedNames(first: path("a/poi_2023.06.x"), others: 1)])
  }

  @Test("archives below the input and packages without the data group base give warnings, one of each kind")
  func unmeant() throws {
    try scratch.write("a/base.x", [1])
    try scratch.write("a/poi.x", [1])
    #expect(try warnings() == [])
    try scratch.write("europe/malta.zip", [1])
    try scratch.write("europe/gozo.tar.gz", [1])
    try scratch.write("europe/roads.TAR", [1])
    try scratch.write("b/poi.x", [1])
    try scratch.write("b/map.xml", Array("<map id=\"b\"/>".utf8))
    #expect(
      try warnings() == [
        .archives(first: path("europe/gozo.tar.gz"), others: 2),
        .withoutBase(first: try #require(PackageID("b")), others: 0),
      ])
  }

  @Test(
    "ids, regions and data groups that differ only in capital letters or in their Unicode form are refused, with both",
    arguments: [
      ("malta/base.x", "Malta/base.x", "Malta", "malta"),
      ("café/base.x", "cafe\u{301}/base.x", "cafe\u{301}", "café"),
      ("europe/a/base.x", "Europe/b/base.x", "Europe", "europe"),
      ("a/base.x", "a/BASE.x", "BASE", "base"), ("a/é.x", "a/E\u{301}.x", "a/E\u{301}", "a/é"),
    ])
  func similar(one: String, other: String, first: String, second: String) throws {
    try scratch.write(one, [1])
    #expect(refusal() == nil)
    try scratch.write(other, [1])
    guard case .input(.similarNames(let name, let similar, let path, let otherPath)) = refusal() else {
      Issue.record("\(String(describing: refusal()))")
      return
    }
    #expect(name.utf8.elementsEqual(first.utf8) && similar.utf8.elementsEqual(second.utf8))
    #expect(
      Set([path, otherPath].map { Array($0.utf8) }) == Set([one, other].map { Array(self.path($0).utf8) }))
  }

  @Test("one name used often is no conflict, and neither are letters that only look alike")
  func different() throws {
    for name in [
      "europe/a/base.x", "europe/b/base.x", "europe/b/search.x", "а/base.x", "e/base.x", "é/base.x",
    ] {
      try scratch.write(name, [1])
    }
    #expect(refusal() == nil)
  }
}
