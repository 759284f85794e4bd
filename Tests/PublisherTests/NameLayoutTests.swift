import Catalog
import MapModel
import Platform
import TestSupport
import Testing

@testable import Publisher

/// What the names of files say about packages, where a layout reads them.
@Suite("NameLayout")
struct NameLayoutTests {
  private let scratch: TestRepository

  init() throws { scratch = try TestRepository() }

  /// The id and the data group in a path.
  private func read(_ layout: String, _ path: String) throws -> String? {
    let layout = try #require(NameLayout(layout))
    return layout.read(path.parts(separatedBy: "/")).map {
      $0.id.joined(separator: "/") + ($0.dataGroup.map { " \($0)" } ?? "")
    }
  }

  @Test("fields of a layout are found in names, the first ones as long as possible")
  func reading() throws {
    #expect(try read("eu_{country}_{group}.{ext}", "eu_malta_base.map") == "malta base")
    #expect(
      try read("eu_{country}_{group}.{ext}", "eu_bosnia_and_herzegovina_search.tar.gz")
        == "bosnia_and_herzegovina search")
    #expect(try read("{area}_{country}.{ext}", "maps/eu_malta.mwm") == "maps/eu/malta")
    #expect(try read("{country}_{version}.zip", "malta_2024-06-30.zip") == "malta")
    #expect(try read("{country}_{version}.zip", "new_zealand_v1.2.3.zip") == "new_zealand")
    #expect(try read("{version}/{country}.{ext}", "latest/241011/Malta.mwm") == "latest/Malta")
    for (layout, path) in [
      ("eu_{country}.{ext}", "us_maine.map"), ("eu_{country}.{ext}", "eu_.map"), ("{a}.zip", "a.zip.part"),
      ("{a}_{version}.zip", "a_b.zip"), ("{a}/{b}.zip", "b.zip"), ("{a}.{ext}", "README"),
    ] {
      #expect(try read(layout, path) == nil, "\(layout) \(path)")
    }
  }

  @Test(
    "an invalid layout is refused",
    arguments: [
      "", "a", "{group}.{ext}", "{a}{b}", "{a", "a}", "{}", "{A}", "{a}_{group}_{group}", "{a}/", "{a}//{b}",
      "{a b}", String(repeating: "x", count: 520) + "{a}",
    ])
  func invalid(text: String) { #expect(NameLayout(text) == nil) }

  @Test("hostile names take no time")
  func hostile() throws {
    let layout = try #require(NameLayout("{a}_{b}_{c}_{d}_{e}_{version}.{ext}"))
    #expect(layout.read([String(repeating: "_a", count: 120)]) == nil)
  }

  @Test("a layout takes versions out of names")
  func versions() {
    for (name, layout) in [
      ("malta_2024-06-30.zip", "{map}_{version}.{ext}"), ("malta-v12.osm.pbf", "{map}-{version}.{ext}"),
      ("20240630_malta.map", "{version}_{map}.{ext}"), ("malta.map", nil), ("2024.map", nil),
      ("N35E014.hgt", nil), ("US5NY1CM.000", nil), ("route66.map", nil),
    ] {
      #expect(NameLayout.withoutVersion(of: name)?.text == layout, "\(name)")
      if let layout { #expect(NameLayout(layout)?.read([name])?.id == ["malta"]) }
    }
  }

  private func release(
    _ label: String, _ layout: LayoutChoice = .recorded, removing allowed: Int = 0
  ) async throws -> ReleaseReport {
    try await scratch.release(label, allowedRemovals: allowed, layout: layout)
  }

  @Test("the repository remembers a layout, follows the ids of before, and forgets it when asked to")
  func recorded() async throws {
    func write(_ number: Int) throws {
      for country in ["malta", "gozo"] {
        try scratch.write(
          "eu_\(country)_\(number).map", "map of \(country) \(number) " + String(repeating: "x", count: 5000))
      }
    }
    try write(1)
    let one = try await release("1")
    #expect(one.components.map(\.entry.name.id.text) == ["eu_gozo_1", "eu_malta_1"])
    try scratch.remove("eu_gozo_1.map")
    try scratch.remove("eu_malta_1.map")
    try write(2)
    let refusal = await scratch.refusal("2")
    guard case .input(.componentsGone(2, 0, _, let lost)) = refusal else {
      Issue.record("\(String(describing: refusal))")
      return
    }
    let layout = try #require(NameLayout("{map}_{version}.{ext}"))
    #expect(
      lost.successors == [
        ProposedSuccessor(old: "eu_gozo_1", new: "eu_gozo_2", layout: layout),
        ProposedSuccessor(old: "eu_malta_1", new: "eu_malta_2", layout: layout),
      ])
    #expect(lost.sentences.contains { $0.contains("--layout '{map}_{version}.{ext}'") })
    let named = try #require(NameLayout("eu_{country}_{version}.{ext}"))
    let two = try await release("2", .named(named))
    #expect(two.components.map(\.entry.name.id.text) == ["gozo", "malta"] && two.gone.isEmpty)
    let served = try Repository(opening: scratch.repository)
    let catalog = try served.catalog(of: try #require(try served.releases().last))
    #expect(
      catalog.replaced.map { "\($0.id) \($0.successor)" } == ["eu_gozo_1 gozo", "eu_malta_1 malta"])
    #expect(two.components.allSatisfy { $0.update.map { $0 < 1000 } ?? false })
    try scratch.remove("eu_gozo_2.map")
    try scratch.remove("eu_malta_2.map")
    try write(3)
    let three = try await release("3")
    #expect(three.components.map(\.entry.name.path) == ["eu_gozo_3.map", "eu_malta_3.map"])
    #expect(three.components.map(\.entry.name.id.text) == ["gozo", "malta"] && three.gone.isEmpty)
    let four = try await release("4", .none, removing: 2)
    #expect(four.components.map(\.entry.name.id.text) == ["eu_gozo_3", "eu_malta_3"])
    #expect(try await release("5").components.map(\.entry.name.id.text) == ["eu_gozo_3", "eu_malta_3"])
    #expect(try scratch.problems() == [])
  }

  @Test("what map.xml says comes before a layout")
  func described() async throws {
    try scratch.write("eu_malta_base.map", "malta")
    try scratch.write("eu_malta_search.db", "places")
    try scratch.write("more/eu_gozo_base.map", "gozo")
    try scratch.write("more/map.xml", "<map id=\"gozo\"/>")
    try scratch.write("other/base.map", "other")
    let layout = try #require(NameLayout("eu_{country}_{group}.{ext}"))
    let report = try await release("1", .named(layout))
    #expect(
      report.components.map { "\($0.entry.name.id) \($0.entry.name.dataGroup)" } == [
        "gozo eu_gozo_base", "malta base", "malta search", "other base",
      ])
  }
}
