import Glibc
import Platform
import TestSupport
import Testing

/// The repository of a small tree of maps with regions, languages, places and data groups, made once.
///
///     europe                Europe, in German Europa
///       france              France, in German Frankreich
///         alsace            base, navigation, poi; a detail
///         corsica           base, poi; a detail
///       gozo                base; a box within that of Malta
///       italy/sicily        base; only in release 2
///       malta               base, search; a triangle within its box
///     pacific/fiji          base; across the antimeridian
///     polar/antarctica      base; around the pole
///     signs                 poi alone
final class TreeSample: Sendable {
  let repository: PublishedRepository
  private static let path = "\(Scratch.base)/tinyupdater-tree-\(getpid())"

  static let shared = Result { try TreeSample() }

  private init() throws {
    let scratch = try Scratch("tree-sample")
    repository = PublishedRepository(path: "\(TreeSample.path)/repository")
    // Nothing that is static is ever freed.
    atexit { _ = try? Programs.run("rm", "-rf", TreeSample.path) }
    for release in 1...2 {
      for (name, text) in TreeSample.descriptions {
        try scratch.write("\(release)/\(name)/map.xml", "<map \(text)</map>")
      }
      for (index, name) in TreeSample.files(release).enumerated() {
        // Two of them are other ones in release 2.
        let isChanged = name.hasPrefix("europe/malta/base") || name.hasPrefix("europe/france/alsace/base")
        let seed = UInt64(isChanged ? release : 0)
        var bytes = TreeSample.data(UInt64(name.utf8.reduce(7) { ($0 &* 31 &+ Int($1)) & 0xffff }))
        bytes[index] = UInt8(seed)
        try scratch.write("\(release)/\(name)", bytes)
      }
      try repository.publish("\(scratch.path)/\(release)", label: "2026-0\(release)")
    }
  }

  private static let descriptions = [
    "europe": #"minimum-reader="9"><name>Europe</name><name xml:lang="de">Europa</name>"#,
    "europe/france": #"><name>France</name><name xml:lang="de">Frankreich</name>"#,
    "europe/france/alsace": """
    detail="yes" index-size="1000"><name>Alsace</name><name xml:lang="de">Elsass</name>
    <name xml:lang="de-AT">Elsaß</name><bounds south="47.4" west="6.8" north="49.1" east="8.3"/>
    """,
    "europe/france/corsica": """
    detail="yes"><name xml:lang="fr">Corse</name><bounds south="41.3" west="8.5" north="43.1" east="9.6"/>
    """,
    "europe/gozo": #"><name>Gozo</name><bounds south="36.0" west="14.18" north="36.09" east="14.35"/>"#,
    "europe/malta": """
    ><name>Malta</name><bounds south="35.8" west="14.1" north="36.1" east="14.6"/>
    <polygon>35.8,14.1 36.1,14.1 35.8,14.6</polygon>
    """,
    "pacific/fiji": """
    ><name>Fiji</name><bounds south="-21" west="176" north="-12" east="-178"/>
    <polygon>-21,176 -12,176 -12,-178 -21,-178</polygon>
    """,
    "signs": #"id="signs">"#,
    "polar/antarctica": """
    ><name>Antarctica</name><polygon>-65,-180 -70,-90 -65,0 -70,90</polygon>
    """,
  ]

  private static func files(_ release: Int) -> [String] {
    let always = [
      "europe/france/alsace/base.bin", "europe/france/alsace/navigation.bin",
      "europe/france/alsace/poi.bin",
      "europe/france/corsica/base.bin", "europe/france/corsica/poi.bin", "europe/gozo/base.bin",
      "europe/malta/base.bin", "europe/malta/search.bin", "pacific/fiji/base.bin",
      "polar/antarctica/base.bin", "signs/poi.bin",
    ]
    return release == 1 ? always : always + ["europe/italy/sicily/base.bin"]
  }

  private static func data(_ seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed)
    return (0..<20_000).map { _ in UInt8.random(in: 0...63, using: &generator) }
  }

  /// A device that has installed `ids` at `release`, and gets the newest from now on.
  func device(at release: Int = 2, installing ids: String..., settings: String...) throws -> Device {
    let scratch = try Scratch("tree-served")
    let served = try repository.copy(to: "\(scratch.path)/repository", upTo: release)
    let setup = try Device(served.url, trusting: repository)
    if !ids.isEmpty {
      let run = try setup.run(["install"] + ids)
      #expect(run.exit == 0, "\(run.error)")
    }
    let device = try Device(
      repository.url, trusting: repository, settings: settings.joined(separator: "\n"))
    if !ids.isEmpty { try device.copyStore(of: setup) }
    return device
  }
}

extension Device.Run {
  /// The nodes of a listing, in their order.
  var nodes: [[String: Any]] {
    events.filter { ["package", "region"].contains($0["event"] as? String) }
  }

  /// Such as "region europe partiallyInstalled".
  var states: [String] {
    nodes.map { "\($0["event"] ?? "") \($0["id"] ?? "") \($0["state"] ?? "")" }
  }

  func node(_ id: String) throws -> [String: Any] {
    try #require(nodes.first { $0["id"] as? String == id }, "\(id) in \(output) \(error)")
  }

  func actions(_ id: String) throws -> [String] { try #require(try node(id)["actions"] as? [String]) }
}
