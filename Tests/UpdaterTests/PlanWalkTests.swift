import Catalog
import MapModel
import MapTestSupport
import Platform
import TestSupport
import Testing

@testable import Store
@testable import Updater

/// The walk through both lists in constant memory finds what a search in dictionaries finds.
@Suite("PlanWalk")
struct PlanWalkTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch("walk") }

  /// Ids, some of which contain others in name only, in the order of bytes.
  private static let ids: [PackageID] = ["a", "a-b", "a/b", "a/c", "ab", "b/c/d", "b/c/e", "b/d", "c"]
  private static let groups: [DataGroup] = ["base", "navigation", "poi"]

  /// A package lies in no other, as publishers make sure: "a" is not there with "a/b".
  private static func randomNames(_ generator: inout SeededGenerator) -> [ComponentName] {
    let isFlat = Bool.random(using: &generator)
    var names: [ComponentName] = []
    for id in ids where id != (isFlat ? "a" : "-") && !(id.text.hasPrefix("a/") && !isFlat) {
      for group in groups where Int.random(in: 0..<3, using: &generator) > 0 {
        names.append(ComponentName(id: id, dataGroup: group))
      }
    }
    return names
  }

  private func walk(
    _ entries: [CatalogEntry], installed: [InstalledComponent]?, for operation: Operation,
    deselected: [DataGroup] = [], installedRelease: UInt64 = 1, packagesOfPart: Int? = nil
  ) throws -> (steps: [PlanStep], unmatched: [PackageID]) {
    var groups = DataGroups()
    for group in deselected { _ = groups.deselect(group) }
    var manifest: ManifestReader?
    if let installed {
      let release = CatalogedRelease(
        Release(number: installedRelease, label: "one"),
        catalog: CatalogReference(digest: try Fixture.digest("c"), size: 1))
      var writer = try ManifestWriter(
        try File(opening: "\(scratch.path)/manifest", to: .replace), release: release, previous: 0)
      for component in installed { try writer.add(component) }
      try writer.finish()
      manifest = try ManifestReader(try Directory(opening: scratch.path))
    }
    var walk = try PlanWalk(
      try Fixture.catalog(entries, in: scratch, packagesOfPart: packagesOfPart),
      parts: Fixture.parts(in: scratch), manifest: manifest, for: operation, groups: groups)
    var steps: [PlanStep] = []
    while let step = try walk.next(from: Generation()) { steps.append(step) }
    return (steps, walk.unmatched)
  }

  private func model(
    _ entries: [CatalogEntry], installed: [InstalledComponent], for operation: Operation,
    deselected: [DataGroup], isSameRelease: Bool
  ) -> (steps: [PlanStep], unmatched: [PackageID]) {
    let packages = Set(installed.map(\.name.id))
    let changes = !isSameRelease || operation == .update()
    func isSelected(_ entry: CatalogEntry) -> Bool { !deselected.contains(entry.name.dataGroup) }
    var steps: [(ComponentName, PlanStep)] = []
    for entry in entries {
      let isWanted = operation.wants(entry.name.id, isInstalled: packages.contains(entry.name.id))
      let component = installed.first { $0.name == entry.name }
      let keepsAnother = entries.contains { $0.name.id == entry.name.id && isSelected($0) }
      switch (component, isWanted) {
      case (.some(let component), true) where changes && !isSelected(entry) && keepsAnother:
        steps.append((entry.name, .remove(component)))
      case (.some(let component), true):
        steps.append(
          (
            entry.name,
            component.digest == entry.digest
              ? .keep(entry, component) : .fetch(entry, base: .current(component))
          ))
      case (.some(let component), false): steps.append((entry.name, .remove(component)))
      case (.none, true) where isSelected(entry) && (changes || !packages.contains(entry.name.id)):
        steps.append((entry.name, .fetch(entry, base: .none)))
      case (.none, _): steps.append((entry.name, .ignore(entry)))
      }
    }
    for component in installed where !entries.contains(where: { $0.name == component.name }) {
      let isWanted = operation.wants(component.name.id, isInstalled: true)
      steps.append((component.name, isWanted ? .withdraw(component) : .remove(component)))
    }
    var known = installed.map(\.name.id)
    if case .install = operation { known += entries.map(\.name.id) }
    let unmatched = operation.ids.filter { region in !known.contains { region.contains($0) } }
    return (steps.sorted { $0.0 < $1.0 }.map(\.1), unmatched)
  }

  @Test("generated catalogs and manifests", arguments: 0..<150 as Range<UInt64>)
  func generated(seed: UInt64) throws {
    var generator = SeededGenerator(seed)
    let entries = try PlanWalkTests.randomNames(&generator).map { name in
      let version = ["old", "new"].randomElement(using: &generator) ?? ""
      return try Fixture.entry(name.id, name.dataGroup, version)
    }
    let installed = try PlanWalkTests.randomNames(&generator)
      .filter { _ in Bool.random(using: &generator) }
      .map { try Fixture.installed($0.id, $0.dataGroup) }
    let regions = (["a", "b", "b/c", "ab", "a/b", "d"] as [PackageID]).shuffled(using: &generator).prefix(2)
    let deselected: [DataGroup] =
      seed % 3 == 0 ? [] : ["navigation", "poi"].filter { _ in Bool.random(using: &generator) }
    for operation in [.update(), .install(Array(regions)), .uninstall(Array(regions))] as [Operation] {
      let release: UInt64 = Bool.random(using: &generator) ? 1 : Fixture.release.number
      let found = try walk(
        entries, installed: installed, for: operation, deselected: deselected, installedRelease: release)
      let expected = model(
        entries, installed: installed, for: operation, deselected: deselected,
        isSameRelease: release == Fixture.release.number)
      #expect(found.steps.sorted { $0.name < $1.name } == expected.steps)
      #expect(found.unmatched == expected.unmatched.sorted())
      // What the builder of a generation adds comes in the order of the names.
      let added = found.steps.compactMap(\.added)
      #expect(added == added.sorted())
      for packagesOfPart in [1, 3] {
        let divided = try walk(
          entries, installed: installed, for: operation, deselected: deselected, installedRelease: release,
          packagesOfPart: packagesOfPart)
        #expect(divided.steps.filter(\.isOfInterest) == found.steps.filter(\.isOfInterest))
        #expect(divided.unmatched == found.unmatched)
      }
    }
  }

  @Test("a deselected data group goes with the next update, and the last one of a package stays")
  func deselected() throws {
    let installed = try
      ([
        ("a", "base"), ("a", "poi"), ("b", "navigation"), ("b", "poi"), ("c", "poi"), ("c", "terrain"),
      ] as [(PackageID, DataGroup)])
      .map { try Fixture.installed($0.0, $0.1) }
    let entries = try installed.map { try Fixture.entry($0.name.id, $0.name.dataGroup, "old") }
    let result = try walk(
      entries, installed: installed, for: .update(), deselected: ["navigation", "poi"],
      installedRelease: Fixture.release.number)
    #expect(
      result.steps == [
        .keep(entries[0], installed[0]), .remove(installed[1]), .keep(entries[2], installed[2]),
        .keep(entries[3], installed[3]), .remove(installed[4]), .keep(entries[5], installed[5]),
      ])
  }

  @Test("an install follows the selection, and leaves installed packages as they are")
  func selectedInstall() throws {
    let installed = try ([("a", "base"), ("a", "poi"), ("b", "base")] as [(PackageID, DataGroup)])
      .map { try Fixture.installed($0.0, $0.1) }
    let entries = try
      ([
        ("a", "base"), ("a", "poi"), ("a", "terrain"), ("b", "base"), ("b", "terrain"), ("c", "base"),
        ("c", "poi"), ("c", "terrain"),
      ] as [(PackageID, DataGroup)])
      .map { try Fixture.entry($0.0, $0.1, "old") }
    let result = try walk(
      entries, installed: installed, for: .install(["b", "c"]), deselected: ["poi"],
      installedRelease: Fixture.release.number)
    #expect(
      result.steps == [
        .keep(entries[0], installed[0]), .keep(entries[1], installed[1]), .ignore(entries[2]),
        .keep(entries[3], installed[2]), .ignore(entries[4]),
        .fetch(entries[5], base: .none), .ignore(entries[6]), .fetch(entries[7], base: .none),
      ])
    let removal = try walk(
      entries, installed: installed, for: .uninstall(["b"]), deselected: ["poi"],
      installedRelease: Fixture.release.number)
    #expect(removal.steps.compactMap(\.added) == [entries[0].name, entries[1].name])
  }

  @Test("without a manifest, everything that was requested is downloaded")
  func nothingInstalled() throws {
    let entries = [try Fixture.entry("a"), try Fixture.entry("b")]
    let result = try walk(entries, installed: nil, for: .install(["b", "c"]))
    #expect(result.steps == [.ignore(entries[0]), .fetch(entries[1], base: .none)])
    #expect(result.unmatched == ["c"])
    #expect(try walk([], installed: nil, for: .update()).steps == [])
  }

  @Test("a new data group of an installed package comes along, whatever its place in the order")
  func newGroup() throws {
    let installed = [try Fixture.installed("a", "m")]
    let entries = try (["b", "m", "z"] as [DataGroup]).map {
      try Fixture.entry("a", $0, $0 == "m" ? "old" : "new")
    }
    let result = try walk(entries, installed: installed, for: .update())
    let expected: [PlanStep] = [
      .fetch(entries[0], base: .none), .keep(entries[1], installed[0]),
      .fetch(entries[2], base: .none),
    ]
    #expect(result.steps == expected)
  }
}

extension PlanStep {
  fileprivate var name: ComponentName {
    switch self {
    case .keep(let entry, _), .link(let entry, _), .fetch(let entry, _), .ignore(let entry): entry.name
    case .remove(let component), .withdraw(let component): component.name
    }
  }

  /// It is not about a component that is passed over.
  fileprivate var isOfInterest: Bool {
    if case .ignore = self { false } else { true }
  }

  /// What it adds to the new generation.
  fileprivate var added: ComponentName? {
    switch self {
    case .keep(let entry, _), .link(let entry, _), .fetch(let entry, _): entry.name
    case .remove, .withdraw, .ignore: nil
    }
  }
}
