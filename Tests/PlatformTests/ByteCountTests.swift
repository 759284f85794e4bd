import Testing

@testable import Platform

@Suite("ByteCount")
struct ByteCountTests {
  @Test(
    "sizes read as people write them",
    arguments: [
      (0, "0 B"), (999, "999 B"), (1000, "1.00 kB"), (14_240, "14.2 kB"), (3_051_000, "3.05 MB"),
      (152_400_000, "152 MB"), (UInt64.max, "18446744 TB"),
    ] as [(UInt64, String)])
  func text(bytes: UInt64, expected: String) { #expect(ByteCount(bytes).text == expected) }

  @Test(
    "what is needed is rounded up, so that it suffices",
    arguments: [
      (0, "0 B"), (999, "999 B"), (1000, "1.00 kB"), (1001, "1.01 kB"), (14_240, "14.3 kB"),
      (3_050_001, "3.06 MB"),
      (3_050_000, "3.05 MB"), (999_001, "1.00 MB"), (152_400_000, "153 MB"), (999_999_999, "1.00 GB"),
    ] as [(UInt64, String)])
  func atLeast(bytes: UInt64, expected: String) { #expect(ByteCount(bytes).atLeast == expected) }

  @Test("as much as can be written is needed at most")
  func largest() { #expect(ByteCount(.max).atLeast.hasSuffix(" TB")) }

  @Test(
    "a configured size is digits with at most one unit",
    arguments: [
      ("8M", 8 << 20), ("512K", 512 << 10), ("77", 77), ("", nil), ("M", nil), ("8MB", nil), ("-1", nil),
      ("18446744073709551615G", nil),
    ] as [(String, UInt64?)])
  func parse(text: String, expected: UInt64?) { #expect(ByteCount(text)?.bytes == expected) }

  @Test("a share of nothing is a dash")
  func share() {
    #expect(ByteCount(41).share(of: 1000) == "4.1 %")
    #expect(ByteCount(1).share(of: 0) == "-")
    #expect(ByteCount(.max).share(of: .max) == "100.0 %")
  }
}
