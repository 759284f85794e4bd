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
    try scratch.write("base.x", [1])
    try scratch.write("bad package/base.x", [1])
    try scratch.write("good/bad group.x", [1])
    try scratch.write("good/tab\t.x", [1])
    try #require(
      refusal()
        == .input(
          .severalNames(
            [
              .noPackage(path: path("bad package/base.x")), .noDataGroup(path: path("good/bad group.x")),
              .controlCharacter(path: path("good/tab\t.x"), codePoint: "U+0009"),
              .noPackage(path: path("base.x")),
            ], more: 0)))
    for number in 0..<10 { try scratch.write("good/\(number) .x", [1]) }
    guard case .input(.severalNames(let listed, more: 4)) = refusal() else {
      Issue.record("\(String(describing: refusal()))")
      return
    }
    #expect(listed.count == 10)
  }

  @Test(
    "ids, regions and data groups that differ only in capital letters or in their Unicode form are refused, with both",
    arguments: [
      ("malta/base.x", "Malta/base.x", "Malta", "malta"),
      ("café/base.x", "cafe\u{301}/base.x", "cafe\u{301}", "café"),
      ("europe/a/base.x", "Europe/b/base.x", "Europe", "europe"),
      ("a/base.x", "a/BASE.x", "BASE", "base"), ("a/base.x", "b/Base.x", "base", "Base"),
      ("a/é.x", "b/E\u{301}.x", "é", "E\u{301}"),
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
