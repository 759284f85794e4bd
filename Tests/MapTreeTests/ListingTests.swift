import Catalog
import MapModel
import MapTestSupport
import Platform
import Store
import TestSupport
import Testing

@testable import MapTree

@Suite("Listing")
struct ListingTests {
  @Test(
    "a tree of more regions than fit into memory is refused",
    arguments: [(3, 1000), (6, 13_107), (8, 39_321)])
  func regions(budget: Int, limit: Int) {
    var table = RegionTable(memory: UInt64(budget - 3) << 20)
    let limit = min(limit, (max(0, (budget - 5) << 20)) / MemoryLayout<RegionSums>.stride)
    let expected = min(max(limit, MapTreeLimits.fewestRegions), MapTreeLimits.regions)
    var found: Failure?
    do throws(Failure) { for _ in 0...MapTreeLimits.regions { _ = try table.add() } } catch {
      found = error
    }
    #expect(table.count == expected)
    #expect(found == .tooManyRegions(limit: expected))
    #expect(found?.sentence.contains("--depth, or one region by its id") == true)
  }

  @Test("sums that are too large stay at the largest number")
  func saturation() {
    var sums = NodeSums()
    var other = NodeSums()
    other.size = .max
    other.packages = .max
    for _ in 0..<2 { sums.add(other) }
    #expect(sums.size == .max && sums.packages == .max)
  }

  @Test(
    "the state and the actions of a region follow from its packages",
    arguments: [
      ((3, 0, 0, 0, 0), .notInstalled, [.install]), ((3, 3, 3, 0, 0), .installed, [.uninstall]),
      ((3, 2, 2, 0, 0), .partiallyInstalled, [.install, .uninstall]),
      ((3, 3, 3, 0, 1), .installed, [.update, .uninstall]),
      ((3, 2, 1, 1, 0), .inconsistent, [.install, .update, .uninstall]),
    ] as [((UInt32, UInt32, UInt32, UInt32, UInt32), InstallState, [NodeAction])])
  func states(_ counts: (UInt32, UInt32, UInt32, UInt32, UInt32), state: InstallState, actions: [NodeAction])
  {
    var sums = NodeSums()
    (sums.packages, sums.touched, sums.installed, sums.inconsistent, sums.updates) = counts
    #expect(sums.state == state)
    #expect(sums.actions == actions)
  }

  @Test("of what happens in a region, what is worked on is shown, and all of it can be cancelled")
  func activity() {
    var sums = NodeSums()
    for activity in [.waiting, .downloading, .waiting, nil] as [Activity?] { sums.note(activity) }
    #expect(sums.activity == .downloading)
    #expect(sums.actions == [.cancel])
  }

  // MARK: - Packages

  private func package(
    basis: [CatalogEntry], newest: [CatalogEntry] = [], installed: [InstalledComponent],
    deselected: [DataGroup] = [], damaged: [DataGroup] = []
  ) -> ListedPackage {
    var package = ListedPackage("a", isInBasis: !basis.isEmpty, isInstalled: !installed.isEmpty)
    let groups = Set((basis + newest).map(\.name.dataGroup) + installed.map(\.name.dataGroup)).sorted()
    for group in groups {
      package.add(
        ListedPackage.Component(
          name: ComponentName(id: "a", dataGroup: group), basis: basis.first { $0.name.dataGroup == group },
          newest: newest.first { $0.name.dataGroup == group },
          installed: installed.first { $0.name.dataGroup == group },
          isPackageInstalled: !installed.isEmpty, isWhole: !damaged.contains(group),
          isSelected: !deselected.contains(group)),
        memory: 1 << 20)
    }
    package.finish()
    return package
  }

  @Test("a package is inconsistent when it has other data groups than the selected ones, or a damaged file")
  func inconsistent() throws {
    let all = try ["base", "poi"].map { try Fixture.entry("a", $0, "old") }
    let both = try ["base", "poi"].map { try Fixture.installed("a", $0) }
    #expect(package(basis: all, installed: both).sums.state == .installed)
    #expect(package(basis: all, installed: []).sums.state == .notInstalled)
    #expect(package(basis: all, installed: [both[0]]).sums.state == .inconsistent)
    #expect(package(basis: all, installed: both, deselected: ["poi"]).sums.state == .inconsistent)
    #expect(package(basis: all, installed: [both[0]], deselected: ["poi"]).sums.state == .installed)
    #expect(package(basis: all, installed: both, damaged: ["poi"]).sums.state == .inconsistent)
    // Nothing of it is selected: it keeps what it has.
    #expect(package(basis: [all[1]], installed: [both[1]], deselected: ["poi"]).sums.state == .installed)
  }

  @Test("an update is what differs in the newest release, as a download would choose it")
  func updates() throws {
    let old = try ["base", "poi"].map { try Fixture.entry("a", $0, "old") }
    let installed = try ["base", "poi"].map { try Fixture.installed("a", $0) }
    #expect(package(basis: old, newest: old, installed: installed).sums.updates == 0)
    var new = try Fixture.entry("a", "base", "new")
    new.patches = [
      Patch(from: installed[0].digest, container: try Fixture.container("p", size: 40, memory: 1 << 19))
    ]
    let patched = package(basis: old, newest: [new, old[1]], installed: installed)
    #expect(patched.sums.updates == 1 && patched.sums.updateDownload == 40)
    // A data group that is new in the newest release comes along, unless it is deselected.
    let added = try Fixture.entry("a", "terrain", size: 700)
    #expect(package(basis: old, newest: old + [added], installed: installed).sums.updateDownload == 700)
    let without = package(basis: old, newest: old + [added], installed: installed, deselected: ["terrain"])
    #expect(without.sums.updates == 0 && without.sums.updateDownload == 0)
    let unseen = package(basis: [], newest: [new], installed: [])
    #expect(unseen.isNew && unseen.sums.state == .notInstalled && unseen.sums.size == new.size)
  }
}
