import Catalog
import MapModel
import MapTree
import Platform
import TestSupport
import Testing

@testable import Updater

/// A listing is the same whether a catalog has parts or not, if they are on the device; and if they are not, its sums are.
@Suite("Listings of catalogs in parts")
struct ListingPartsTests {
  /// Packages on several levels, some beside regions.
  private static let ids = [
    "a/b/1", "a/b/2", "a/b/3", "a/c", "a/d/e/1", "a/d/e/2", "a/f", "b", "c/1", "c/2", "c/3", "c/4", "d/e/f/g",
    "d/h", "e",
  ]

  private func contents(_ release: UInt64, without missing: [String] = []) -> [String: [UInt8]] {
    var contents: [String: [UInt8]] = [:]
    for (index, id) in ListingPartsTests.ids.enumerated() where !missing.contains(id) {
      contents["\(id) base"] = mapBytes(500 + index, seed: index % 3 == 0 ? release : 0)
      if index % 4 == 1 { contents["\(id) search"] = mapBytes(100 + index, seed: 7) }
    }
    return contents
  }

  /// A device with two packages at the first of two releases, which knows the second one if `isBehind`.
  private func device(
    packagesOfPart: Int?, isBehind: Bool, asking ids: [PackageID] = []
  ) throws -> TestDevice {
    let repository = try TestRepository()
    repository.packagesOfPart = packagesOfPart
    try repository.publish(contents(1, without: ["c/2", "e"]), as: .packed)
    let device = try TestDevice(repository)
    _ = try device.run(.install(["a/b/2", "c/3", "d/h"]))
    #expect(try device.installed().count > 2)
    if isBehind {
      try repository.publish(contents(2, without: ["a/f"]), as: .packed)
      _ = try device.makeUpdater().check()
    }
    // The repository is there only for as long as this function.
    _ = try device.makeUpdater().listingSources(of: ids)
    #expect(!device.lines.contains { $0.contains("notice") }, "\(device.lines)")
    return device
  }

  private func queries() -> [ListingQuery] {
    var queries: [ListingQuery] = []
    for view in [.packages, .tree, .composite] as [ListingQuery.View] {
      for depth in [1, 2, 3, .max] {
        for filter in 0..<3 {
          for ids in [[], ["a"], ["a/b", "c/2"], ["c/1"], ["d", "e"]] as [[PackageID]] {
            var query = ListingQuery()
            (query.view, query.depth, query.ids) = (view, depth, SortedIDs(ids))
            (query.onlyInstalled, query.onlyUpdates) = (filter == 1, filter == 2)
            queries.append(query)
          }
        }
      }
    }
    return queries
  }

  private func list(_ query: ListingQuery, on device: TestDevice) throws -> [String] {
    guard var sources = try ListingSources.open(device.configuration.root) else { return [] }
    var nodes: [String] = []
    var listing = Listing(query, memory: 5 << 20)
    do throws(Failure) {
      try listing.run(&sources) { node in
        let sums = node.sums
        nodes.append(
          "\(node.kind) \(node.id) \(node.children) \(node.trail) \(sums.state.word) \(sums.size) "
            + "\(sums.installedSize) \(sums.download) \(sums.updateDownload) \(sums.packages) \(sums.updates) "
            + "\(node.groups.map(\.text)) \(node.release?.label ?? "-") \(sums.unlisted)")
      }
    } catch { nodes.append("\(error)") }
    return nodes
  }

  @Test("with all parts, every query has the same answer", arguments: [1, 2, 4], [false, true])
  func same(packagesOfPart: Int, isBehind: Bool) throws {
    let plain = try device(packagesOfPart: nil, isBehind: isBehind)
    let divided = try device(
      packagesOfPart: packagesOfPart, isBehind: isBehind, asking: ["a", "b", "c", "d", "e"])
    for query in queries() {
      let (found, expected) = (try list(query, on: divided), try list(query, on: plain))
      #expect(found == expected, "\(query)")
    }
  }

  @Test("a list of packages does not need the parts in which only others are installed")
  func lost() throws {
    let device = try device(packagesOfPart: 1, isBehind: false, asking: ["b"])
    func list(_ ids: [PackageID]) throws -> [String] {
      var query = ListingQuery()
      query.ids = SortedIDs(ids)
      return try self.list(query, on: device)
    }
    let whole = try list(["b"])
    #expect(whole.count == 1)
    let lost = "\(device.configuration.root)/generations/1/parts"
    #expect(try ChildProcess.run("sh", ["-c", "rm '\(lost)'/*"]).status == 0)
    #expect(try list(["b"]) == whole)
    for ids in [[], ["a/b/2"], ["d"]] as [[PackageID]] {
      #expect(try list(ids).last?.contains("lostPart") == true, "\(ids)")
    }
  }

  @Test("of parts that list nothing installed, only the outline is read")
  func outlines() throws {
    func device(hasOutlinesOnly: Bool) throws -> TestDevice {
      let repository = try TestRepository()
      (repository.packagesOfPart, repository.hasOutlinesOnly) = (4, hasOutlinesOnly)
      try repository.publish(contents(1), as: .packed)
      let device = try TestDevice(repository)
      _ = try device.makeUpdater().check()
      _ = try device.makeUpdater().listingSources(of: ["a", "b", "c", "d", "e"])
      return device
    }
    let (whole, outlines) = (try device(hasOutlinesOnly: false), try device(hasOutlinesOnly: true))
    for query in queries() {
      let (found, expected) = (try list(query, on: outlines), try list(query, on: whole))
      #expect(found == expected, "\(query)")
    }
  }

  @Test(
    "without them, regions have the same sums, and say how many packages are missing", arguments: [1, 2, 3])
  func sums(packagesOfPart: Int) throws {
    let plain = try device(packagesOfPart: nil, isBehind: false)
    let divided = try device(packagesOfPart: packagesOfPart, isBehind: false)
    var query = ListingQuery()
    (query.view, query.depth) = (.tree, 1)
    func totals(_ device: TestDevice) throws -> (sums: [UInt64], packages: UInt32) {
      var (found, unlisted) = ([0, 0, 0, 0] as [UInt64], 0 as UInt32)
      guard var sources = try ListingSources.open(device.configuration.root) else { return (found, unlisted) }
      var listing = Listing(query, memory: 5 << 20)
      try listing.run(&sources) { node in
        for (index, value) in [
          node.sums.size, node.sums.installedSize, node.sums.download, UInt64(node.sums.packages),
        ].enumerated() { found[index] += value }
      }
      unlisted = listing.unlisted
      return (found, unlisted)
    }
    let (expected, found) = (try totals(plain), try totals(divided))
    #expect(expected.packages == 0 && found.packages > 0)
    // A part that begins in one region and ends in another belongs to neither.
    #expect(found.sums[1] == expected.sums[1] && found.sums[0] <= expected.sums[0])
    query.view = .packages
    let listed = try totals(divided)
    #expect(listed.packages == found.packages)
    #expect(listed.sums[3] + UInt64(listed.packages) == UInt64(ListingPartsTests.ids.count - 2))
  }
}
