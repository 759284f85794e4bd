import Testing

@testable import Catalog

@Suite("Degrees")
struct DegreesTests {
  @Test(
    "a plain decimal number within the globe is taken to a ten-millionth",
    arguments: [
      ("0", 0), ("14.18361", 141_836_100), ("-14.18361", -141_836_100), ("180", 1_800_000_000),
      ("-180.0000000", -1_800_000_000), ("0.0000001", 1), ("0.00000019", 1), ("1.", 10_000_000),
      ("007", 70_000_000),
      ("-0", 0), ("179.99999999", 1_799_999_999),
      ("", nil), ("-", nil), (".5", nil), ("180.0000001", nil), ("181", nil), ("1e2", nil), ("+1", nil),
      (" 1", nil),
      ("1.2.3", nil), ("--1", nil), ("1,5", nil), ("99999999999999999999", nil), ("nan", nil),
    ] as [(String, Int32?)])
  func parse(text: String, expected: Int32?) { #expect(Degrees(text)?.tenMillionths == expected) }

  @Test(
    "it is written as short as it can be",
    arguments: [
      (0, "0"), (141_836_100, "14.18361"), (-1, "-0.0000001"), (-1_800_000_000, "-180"), (10_000_000, "1"),
      (15_000_000, "1.5"),
    ] as [(Int32, String)])
  func text(value: Int32, expected: String) {
    #expect(Degrees(tenMillionths: value).text == expected)
    #expect(Degrees(expected)?.tenMillionths == value)
  }

  @Test("a box may cross the antimeridian, but not a pole")
  func bounds() {
    func box(_ south: Int32, _ west: Int32, _ north: Int32, _ east: Int32) -> Bounds? {
      Bounds(
        south: Degrees(tenMillionths: south * 10_000_000), west: Degrees(tenMillionths: west * 10_000_000),
        north: Degrees(tenMillionths: north * 10_000_000), east: Degrees(tenMillionths: east * 10_000_000))
    }
    #expect(box(-90, 170, 90, -170) != nil)
    #expect(box(1, 0, 0, 1) == nil)
    #expect(box(-91, 0, 0, 1) == nil)
    #expect(box(0, 0, 91, 1) == nil)
  }
}
