import Catalog
import Crypto
import DeltaApply
import MapModel
import MapTestSupport
import Store
import TestSupport
import Testing

@testable import InPlace
@testable import Platform

@Suite("Space of an update in place")
struct SpaceBudgetTests {
  private static let space = Space(available: 1 << 40, block: 4096)
  private static let megabyte: UInt64 = 1 << 20
  /// What the generations and the journal take.
  private static let fixed: UInt64 = 40 * 4096

  private func status(_ size: UInt64, links: UInt64 = 1) -> Directory.Status {
    Directory.Status(kind: .file, size: size, occupied: size, links: links)
  }

  private func patched(
    _ id: PackageID, from old: UInt64, to new: UInt64, container: UInt64 = 8192
  ) throws -> JournalEntry {
    let installed = try Fixture.installed(id, size: old)
    let made = try Fixture.installed(id, "base", "new", size: new)
    let step = PayloadStep(
      container: try Fixture.container("\(id)", size: container, memory: 1),
      target: Intermediate(digest: made.digest, size: new), base: .installed(installed))
    var peak = ConsumingPeak(Self.space)
    peak.add(step, reads: nil)
    return JournalEntry(making: made, by: [step], insteadOf: installed, extra: peak.bytes)
  }

  @Test("what fits beside its old file is made there, one after the other")
  func beside() throws {
    var budget = SpaceBudget(Self.space, available: Self.fixed + 11 * Self.megabyte)
    for id in ["a", "b", "c"] as [PackageID] {
      budget.add(
        try patched(id, from: 10 * Self.megabyte, to: 10 * Self.megabyte), replacing: status(10 << 20))
    }
    #expect((budget.beside, budget.consuming, budget.linked) == (3, 0, 0))
    // The first one gives back its container, which is more than the block of its directory.
    #expect(budget.peak == Self.fixed + 10 * Self.megabyte + 4096)
  }

  @Test("only a component that does not fit is made in the place of its old file")
  func consuming() throws {
    var budget = SpaceBudget(Self.space, available: Self.fixed + 30 * Self.megabyte)
    budget.add(try patched("a", from: 100 << 20, to: 100 << 20), replacing: status(100 << 20))
    budget.add(try patched("b", from: 20 << 20, to: 20 << 20), replacing: status(20 << 20))
    #expect((budget.beside, budget.consuming, budget.punched) == (1, 1, 1))
    #expect(budget.peak >= 20 << 20 && budget.peak <= Self.fixed + 21 * Self.megabyte)
  }

  @Test("a file with another name gives nothing back, and is counted")
  func linked() throws {
    var budget = SpaceBudget(Self.space, available: 30 << 20)
    let entry = try patched("a", from: 100 << 20, to: 100 << 20)
    budget.add(entry, replacing: status(100 << 20, links: 2))
    #expect((budget.beside, budget.consuming, budget.linked) == (1, 0, 1))
    #expect(budget.peak == Self.fixed + (100 << 20) + 4096)
    budget.add(try patched("b", from: 1 << 20, to: 1 << 20), replacing: status(1 << 20, links: 3))
    #expect(budget.linked == 2 && budget.peak > 100 << 20)

    // Names that go with older generations do not count.
    var optimistic = SpaceBudget(Self.space, available: 30 << 20, names: .none)
    optimistic.add(entry, replacing: status(100 << 20, links: 2))
    #expect(optimistic.consuming == 1 && optimistic.peak < 30 << 20)
  }

  @Test("what a sparse file does not have, it does not give back")
  func sparse() throws {
    let entry = try patched("a", from: 100 << 20, to: 100 << 20)
    var budget = SpaceBudget(Self.space, available: 50 << 20)
    budget.add(entry, replacing: Directory.Status(kind: .file, size: 100 << 20, occupied: 40 << 20, links: 1))
    #expect(budget.consuming == 1)
    #expect(budget.peak == Self.fixed + entry.extra + (60 << 20))
  }

  @Test("what goes gives space to what comes after it, and what stays takes a block in each generation")
  func order() throws {
    let old = try Fixture.installed("a", size: 50 << 20)
    let next = try patched("b", from: 1 << 20, to: 40 << 20)
    var (first, last) = (
      SpaceBudget(Self.space, available: 1 << 40), SpaceBudget(Self.space, available: 1 << 40)
    )
    first.add(JournalEntry(removing: old), replacing: status(50 << 20))
    first.add(next, replacing: status(1 << 20))
    #expect(first.peak == Self.fixed)
    last.add(next, replacing: status(1 << 20))
    last.add(JournalEntry(removing: old), replacing: status(50 << 20))
    #expect(last.peak == Self.fixed + (40 << 20) + 4096)
    var kept = SpaceBudget(Self.space, available: 1 << 40)
    for _ in 0..<3 { kept.add(JournalEntry(keeping: old, as: old), replacing: status(50 << 20)) }
    #expect(kept.peak == Self.fixed + 3 * 2 * 4096)
  }

  @Test("a file that is lost gives nothing back")
  func lost() throws {
    var budget = SpaceBudget(Self.space, available: 1 << 40)
    budget.add(try patched("a", from: 10 << 20, to: 10 << 20), replacing: nil)
    #expect((budget.beside, budget.linked) == (1, 0))
  }

  @Test("in the place of the old file, a chain takes what one of its steps takes")
  func chain() throws {
    let old = try Fixture.installed("a", size: 100 << 20)
    let before = Intermediate(digest: try Fixture.digest("before"), size: 100 << 20)
    let own = Intermediate(digest: try Fixture.digest("own"), size: 100 << 20)
    let container = try Fixture.container("c", size: 4096, memory: 1)
    var peak = ConsumingPeak(Self.space)
    peak.add(PayloadStep(container: container, target: before, base: .installed(old)), reads: nil)
    let one = peak.bytes
    peak.add(PayloadStep(container: container, target: own, base: .made(before)), reads: nil)
    #expect(one == InPlaceLimits.assumedSection && peak.bytes == one)
    // Nothing is applied to the old one, which goes first.
    var packed = ConsumingPeak(Self.space, given: 100 << 20)
    packed.add(PayloadStep(container: container, target: own, base: .nothing), reads: nil)
    #expect(packed.bytes == 0)
  }

  @Test("sizes that overflow when they are added count as the largest number")
  func largest() throws {
    var budget = SpaceBudget(Self.space, available: 1 << 20)
    for _ in 0..<3 { budget.add(try patched("a", from: .max, to: .max), replacing: nil) }
    for _ in 0..<3 { budget.add(JournalEntry(removing: try Fixture.installed("a")), replacing: status(.max)) }
    #expect(budget.peak > 1 << 62)
  }
}
