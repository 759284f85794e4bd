import Catalog
import MapModel
import TestSupport
import Testing

@testable import Publisher

/// What the publisher says of packages that take the place of others, and of those that go without.
@Suite("ReplacedPackages")
struct ReplacedPackagesTests {
  private let scratch: TestRepository

  init() throws { scratch = try TestRepository() }

  private static func noise(_ seed: UInt64, _ count: Int = 60_000) -> [UInt8] {
    var generator = SeededGenerator(seed)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  private func write(_ id: String, _ bytes: [UInt8], replacing ids: String? = nil) throws {
    try scratch.write("\(id)/base.map", bytes)
    if let ids { try scratch.write("\(id)/map.xml", "<map replaces=\"\(ids)\"/>") }
  }

  /// The replaced packages of the newest catalog, as `old new release`, with `kept` at the end.
  private func replaced() throws -> [String] {
    let repository = try Repository(opening: scratch.repository)
    let newest = try #require(try repository.releases().last)
    return try repository.catalog(of: newest).replaced.map {
      "\($0.id) \($0.successor) \($0.release)\($0.isKept ? " kept" : "")"
    }
  }

  @Test("replacements are carried from release to release, and followed through others")
  func chain() async throws {
    try write("a", Self.noise(1))
    try await scratch.release("1")
    try scratch.remove("a")
    try write("b", Self.noise(1), replacing: "a")
    let two = try await scratch.release("2")
    #expect(two.gone.isEmpty && two.lost.ids.isEmpty && two.components.map(\.update) == [0])
    #expect(try replaced() == ["a b 2"])
    try write("b", Self.noise(2))
    try await scratch.release("3")
    #expect(try replaced() == ["a b 2"])
    try scratch.remove("b")
    try write("c", Self.noise(3), replacing: "b")
    try write("d", Self.noise(4), replacing: "b")
    try await scratch.release("4")
    #expect(try replaced() == ["a c 2", "a d 2", "b c 4", "b d 4"])
    try write("e", Self.noise(5), replacing: "d")
    try await scratch.release("5")
    #expect(try replaced() == ["a c 2", "a d 2", "a e 2", "b c 4", "b d 4", "b e 4", "d e 5 kept"])
    try scratch.remove("e")
    try await scratch.release("6", allowedRemovals: 1)
    #expect(try replaced() == ["a c 2", "a d 2", "b c 4", "b d 4"])
    #expect(try scratch.problems() == [])
  }

  @Test("what a release has forgotten, the next one can still say")
  func forgotten() async throws {
    try write("a", Self.noise(1))
    try write("z", Self.noise(9))
    try await scratch.release("1")
    try scratch.remove("a")
    try await scratch.release("2", allowedRemovals: 1)
    try await scratch.release("3")
    try await scratch.release("4")
    try write("b", Self.noise(1), replacing: "a")
    try await scratch.release("5")
    #expect(try replaced() == ["a b 5"])
  }

  @Test(
    "a part that was forgotten follows later, what was split off takes over from the rest, and devices get it once"
  )
  func split() async throws {
    try write("a", Self.noise(1))
    try await scratch.release("1")
    try scratch.remove("a")
    try write("b", Self.noise(1), replacing: "a")
    try write("c", Self.noise(2))
    try await scratch.release("2")
    try write("c", Self.noise(2), replacing: "a")
    try await scratch.release("3")
    #expect(try replaced() == ["a b 2", "a c 3"])
    // What is split off from the part is for devices from before that.
    try write("d", Self.noise(4), replacing: "c")
    try await scratch.release("4")
    try await scratch.release("5")
    #expect(try replaced() == ["a b 2", "a c 3", "a d 3", "c d 4 kept"])
    try scratch.remove("c")
    let six = try await scratch.release("6")
    #expect(six.gone.isEmpty)
    #expect(try replaced() == ["a b 2", "a d 3", "c d 6"])
  }

  @Test("a map.xml above says what takes the place of flat packages, with a layout or without")
  func flat() async throws {
    try scratch.write("europe/Mlata.mwm", Self.noise(1))
    try scratch.write("europe/Gozo.mwm", Self.noise(2))
    try await scratch.release("1")
    try scratch.remove("europe/Mlata.mwm")
    try scratch.write("europe/Malta.mwm", Self.noise(1))
    try scratch.write("europe/map.xml", "<map><replaced id=\"europe/Mlata\" by=\"europe/Malta\"/></map>")
    let two = try await scratch.release("2")
    #expect(two.components.map(\.entry.name.id.text) == ["europe/Gozo", "europe/Malta"] && two.gone.isEmpty)
    #expect(try replaced() == ["europe/Mlata europe/Malta 2"])
    try scratch.remove("europe/Gozo.mwm")
    try scratch.write("islands/gozo_1.mwm", Self.noise(2))
    try scratch.write("islands/map.xml", "<map replaces=\"europe/Gozo\"/>")
    let layout = try #require(NameLayout("{map}_{version}.{ext}"))
    let three = try await scratch.release("3", layout: .named(layout))
    #expect(three.components.map(\.entry.name.id.text) == ["europe/Malta", "islands/gozo"])
    #expect(try replaced() == ["europe/Gozo islands/gozo 3", "europe/Mlata europe/Malta 2"])
  }

  @Test("an id that no release had, and the package's own, are no replacements")
  func unknown() async throws {
    try write("a", Self.noise(1), replacing: "a never")
    var warnings: [ReleaseWarning] = []
    try await scratch.release("1") { if case .warned(let new) = $0 { warnings += new } }
    #expect(warnings == [.unknownReplaced(first: "never", others: 0)] || warnings.count == 1)
    #expect(try replaced() == [])
    #expect(try await scratch.refusalOf("../up") != nil)
  }

  @Test("a removal names the packages that devices lose, and proposes successors by content")
  func proposals() async throws {
    try write("europe/malta", Self.noise(1))
    try write("europe/gozo", Self.noise(2))
    try write("europe/sicily", Self.noise(3))
    try await scratch.release("1")
    try scratch.remove("europe/malta")
    try scratch.remove("europe/gozo")
    try scratch.remove("europe/sicily")
    try write("europe/malta-gozo", Self.noise(1) + Self.noise(2))
    try write("europe/trinacria", Self.noise(3))
    try write("europe/iceland", Self.noise(4))
    let error = await scratch.refusal("2")
    guard case .input(.componentsGone(3, 0, _, let lost)) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(lost.ids == ["europe/gozo", "europe/malta", "europe/sicily"])
    #expect(
      lost.successors.map { "\($0.old) \($0.new)" } == [
        "europe/gozo europe/malta-gozo", "europe/malta europe/malta-gozo", "europe/sicily europe/trinacria",
      ])
    let report = try await scratch.release("2", allowedRemovals: 3)
    #expect(report.lost == lost)
    // Devices have no use for that patch; another one would be found by its content.
    let merged = try #require(report.components.first { $0.entry.name.id == "europe/malta-gozo" })
    #expect(!merged.entry.patches.isEmpty)
  }

  @Test("the content of a new package that lies beside a similar one is found in that")
  func content() async throws {
    try write("europe/france", Self.noise(1, 300_000))
    try write("europe/spain", Self.noise(2, 100_000))
    let one = try await scratch.release("1")
    try write("europe/corsica", Array(Self.noise(1, 300_000)[100_000..<200_000]) + Self.noise(3, 5000))
    let two = try await scratch.release("2")
    let corsica = try #require(two.components.first { $0.entry.name.id == "europe/corsica" })
    let france = try #require(one.components.first { $0.entry.name.id == "europe/france" })
    #expect(corsica.entry.patches.map(\.from) == [france.entry.digest])
    #expect(corsica.entry.patches[0].container.size < 6000)
    // No device has the package, so no update contains it.
    #expect(corsica.update == nil)
  }

  @Test("sketches of files say how much of one is in another, wherever it lies there")
  func sketches() throws {
    func sketch(_ name: String, _ bytes: [UInt8]) throws -> ContentSketch {
      try scratch.write(name, bytes)
      return try ContentSketch(of: "\(scratch.input)/\(name)")
    }
    let (a, b) = (Self.noise(1, 400_000), Self.noise(2, 400_000))
    let whole = try sketch("whole", a + b)
    #expect(try sketch("a", Array(a[1234...])).share(in: whole) > 0.9)
    #expect((0.3...0.7).contains(try whole.share(in: sketch("b", b))))
    #expect(try sketch("c", Self.noise(3, 400_000)).share(in: whole) == 0)
    #expect(try sketch("small", Array(a[..<100])).share(in: whole) == 0)
    #expect(try sketch("empty", []).share(in: whole) == 0)
  }
}

extension TestRepository {
  /// The same with a package that replaces something else.
  fileprivate func refusalOf(_ replaced: String) async throws -> PublisherError? {
    try write("b/base.map", "b")
    try write("b/map.xml", "<map replaces=\"\(replaced)\"/>")
    return await refusal("next")
  }
}
