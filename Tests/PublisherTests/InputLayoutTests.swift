import Catalog
import MapModel
import TestSupport
import Testing

@testable import Publisher

/// Which package and data group a file is by its place and its name (`docs/format/input.md`, Packages).
@Suite("Input layout")
struct InputLayoutTests {
  private let scratch: TestRepository

  init() throws { scratch = try TestRepository() }

  /// Each file as "path: id group".
  private func layout(_ names: String..., maps: [String: String] = [:]) throws -> [String] {
    for name in names { try scratch.write(name, [1]) }
    for (name, text) in maps { try scratch.write(name, text) }
    return try InputScanner.scan(
      InputSource(directory: scratch.input), release: Release(number: 1, label: "1")
    ).components.map(\.description.name).map { "\($0.path): \($0.id) \($0.dataGroup)" }
  }

  @Test("a directory with a file called base is one package, and each stem in it a data group")
  func groups() throws {
    #expect(
      try layout("malta/base.gpkg", "malta/base.gpkg.aux", "malta/roads.dbf", "malta/roads.shp") == [
        "malta/base.gpkg: malta base", "malta/base.gpkg.aux: malta base", "malta/roads.dbf: malta roads",
        "malta/roads.shp: malta roads",
      ])
  }

  @Test("a file that is called as its directory is its base")
  func ownName() throws {
    #expect(
      try layout("ENC_ROOT/CATALOG.031", "ENC_ROOT/US5NY1CM/US5NY1CM.000", "ENC_ROOT/US5NY1CM/US5NY1CM.001")
        == [
          "ENC_ROOT/CATALOG.031: ENC_ROOT/CATALOG base",
          "ENC_ROOT/US5NY1CM/US5NY1CM.000: ENC_ROOT/US5NY1CM base",
          "ENC_ROOT/US5NY1CM/US5NY1CM.001: ENC_ROOT/US5NY1CM base",
        ])
  }

  @Test("in a flat directory each stem is a package; spaces are hyphens in its id, and stay in its path")
  func flat() throws {
    #expect(
      try layout("Malta.mwm", "Sankt Gallen.mwm", "tracks/a.shp", "tracks/a.dbf", "tracks/b.shp") == [
        "Malta.mwm: Malta base", "Sankt Gallen.mwm: Sankt-Gallen base", "tracks/a.dbf: tracks/a base",
        "tracks/a.shp: tracks/a base", "tracks/b.shp: tracks/b base",
      ])
  }

  @Test("a file beside a directory of packages of the same name is a package of its own below that name")
  func beside() throws {
    #expect(
      try layout("europe/france.pbf", "europe/france/alsace.pbf", "europe/malta.pbf", "europe/malta/base.pbf")
        == [
          "europe/france/alsace.pbf: europe/france/alsace base",
          "europe/france.pbf: europe/france/france base",
          "europe/malta.pbf: europe/malta base", "europe/malta/base.pbf: europe/malta base",
        ])
  }

  @Test("a package of a directory with packages below it is below itself")
  func own() throws {
    #expect(
      try layout("europe/base.x", "europe/search.x", "europe/malta/base.x") == [
        "europe/base.x: europe/europe base", "europe/search.x: europe/europe search",
        "europe/malta/base.x: europe/malta base",
      ])
  }

  @Test("a tree is one package with everything in it, documents too")
  func tree() throws {
    let maps = [
      "valhalla/map.xml": "<map package=\"tree\"><data-group name=\"admin\" files=\"*.sqlite 9/*\"/></map>"
    ]
    #expect(
      try layout(
        "valhalla/2/000/750/192.gph", "valhalla/9/1.gph", "valhalla/LICENCE.txt", "valhalla/admin.sqlite",
        "valhalla/2/.x", maps: maps) == [
          "valhalla/9/1.gph: valhalla admin", "valhalla/admin.sqlite: valhalla admin",
          "valhalla/2/000/750/192.gph: valhalla base", "valhalla/LICENCE.txt: valhalla base",
        ])
  }

  @Test("patterns say which files a data group has; an id moves the files below it")
  func patterns() throws {
    let maps = [
      "x/map.xml": "<map id=\"europe/malta\"><data-group name=\"search\" files=\"*.sqlite *.txt\"/></map>"
    ]
    #expect(
      try layout("x/base.gpkg", "x/names.sqlite", "x/words.txt", maps: maps) == [
        "europe/malta/base.gpkg: europe/malta base", "europe/malta/names.sqlite: europe/malta search",
        "europe/malta/words.txt: europe/malta search",
      ])
  }

  @Test("a file is not published where another one has a directory, or its index")
  func samePath() throws {
    for (text, path) in [
      ("<map id=\"malta.osm\"/>", "malta.osm"), ("<map id=\"gozo\"/>", "gozo/base.x.index"),
    ] {
      let scratch = try TestRepository()
      for name in ["malta.osm", "q/base.x", "gozo/base.x", "q/base.x.index"] { try scratch.write(name, [1]) }
      try scratch.write("q/map.xml", text)
      try scratch.write("gozo/map.xml", "<map index-size=\"9\"/>")
      if path == "malta.osm" { try scratch.remove("q/base.x.index") } else { try scratch.remove("q/base.x") }
      do throws(PublisherError) {
        _ = try InputScanner.scan(
          InputSource(directory: scratch.input), release: Release(number: 1, label: "1"))
        Issue.record("not refused")
      } catch {
        guard case .input(.samePath(path, _, _)) = error else { Issue.record("\(error)"); return }
      }
    }
  }

  @Test("two names that would be one id are refused, both")
  func sameID() throws {
    #expect(throws: PublisherError.input(.sameID("new-york", "new york", "new-york"))) {
      _ = try layout("new york/base.x", "new-york/base.x")
    }
  }
}
