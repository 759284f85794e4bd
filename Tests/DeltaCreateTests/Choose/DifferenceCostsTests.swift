import Testing

@testable import DeltaCreate

@Suite("Costs of differences")
struct DifferenceCostsTests {
  @Test("frequent values cost less than rare ones, and all together what compression makes of them")
  func frequencies() {
    let differences = [UInt8](repeating: 1, count: 3000) + [UInt8](repeating: 255, count: 900) + [7]
    let costs = DifferenceCosts(differences, size: 500)
    #expect(costs[1] < costs[255] && costs[255] < costs[7] && costs[7] == costs[8])
    let sum = differences.reduce(0) { $0 + costs[$1] }
    // In eighths of a bit, without what rounding takes of each.
    #expect(sum <= 500 * 64 && sum > 500 * 64 * 8 / 10, "\(sum)")
  }

  @Test("without a measurement all values cost the same")
  func constant() {
    let costs = DifferenceCosts(48)
    #expect((0...255).allSatisfy { costs[$0] == 48 })
  }

  @Test("a single difference, and one that costs nothing, have costs", arguments: [0, 1])
  func few(size: Int) {
    let costs = DifferenceCosts([9], size: size)
    #expect(costs[9] >= 0 && costs[9] <= costs[10])
  }
}
