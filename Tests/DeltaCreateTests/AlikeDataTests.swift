import DeltaTestSupport
import PatchFormat
import TestSupport
import Testing

@testable import DeltaCreate

/// Data that is alike everywhere has a match at every offset for every other one.
@Suite("Data that is alike everywhere")
struct AlikeDataTests {
  /// What the values are.
  enum Kind: String, CaseIterable, Sendable {
    case doubles, floats, integers, strings

    /// The value of that number, one of few or one of many that rise by little.
    func bytes(_ number: Int, isRising: Bool) -> [UInt8] {
      let points = [(-180.0, -90.0), (180, 90), (80, 60), (13.4, 52.5), (8.55, 47.37), (50, 30), (100, 130)]
      let point = points[number % points.count]
      // Long, short, even and odd decimal fractions alike.
      let rise = Double(number) / 1_000_000
      let (x, y) = isRising ? (8 + rise, 47 + rise) : point
      switch self {
      case .doubles: return little(x.bitPattern) + little(y.bitPattern)
      case .floats: return little(Float(x).bitPattern) + little(Float(y).bitPattern)
      case .integers: return little(UInt32(truncatingIfNeeded: Int(x * 1e7)))
      case .strings: return Array("way \(isRising ? 10_000_000 + number : Int(x)) residential\n".utf8)
      }
    }

    private func little(_ value: some FixedWidthInteger) -> [UInt8] {
      (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
  }

  /// How the values follow each other.
  enum Form: CaseIterable, Sendable {
    case repeated, alternating, ring, rising, seesaw

    /// At least `size` bytes; two files of the same form have few values in common.
    func file(_ kind: Kind, size: Int, isOld: Bool) -> [UInt8] {
      var bytes: [UInt8] = []
      var index = 0
      while bytes.count < size {
        let number =
          switch self {
          case .repeated: isOld ? 3 : 0
          case .alternating: index % 2 + (isOld ? 2 : 0)
          case .ring: index % 7
          case .rising: index + (isOld ? 0 : 1234)
          // To and fro, so that both orders are alike.
          case .seesaw: index / 100 % 2 == 0 ? index % 100 : 99 - index % 100
          }
        bytes += kind.bytes(number, isRising: self == .rising || self == .seesaw)
        index += 1
      }
      return bytes
    }
  }

  /// The processor time that a patch between two files of that size takes.
  private func effort(_ kind: Kind, _ form: Form, size: Int) throws -> Double {
    let (old, new) = (form.file(kind, size: size, isOld: true), form.file(kind, size: size, isOld: false))
    return try processorSeconds {
      let patch = try PatchMaker().make(old: old.span, new: new.span)
      var applier = MemoryApplier(old: old)
      #expect(try applier.apply(patch.bytes, expectedHead: patch.headDigest) == new)
    }
  }

  @Test("a patch of it takes no long time", arguments: Kind.allCases, Form.allCases)
  func effort(kind: Kind, form: Form) throws {
    #expect(try effort(kind, form, size: 400_000) < 4)
  }

  private func lines(_ old: [UInt8], _ new: [UInt8]) -> [AlignedRange] {
    old.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { new in LineFinder.lines(SearchRange(old: old, new: new)) }
    }
  }

  @Test(
    "at most eight lines begin around any offset, and what one comes from is made before it",
    arguments: Form.allCases)
  func depth(form: Form) {
    let (old, new) = (
      form.file(.doubles, size: 60_000, isOld: true), form.file(.doubles, size: 60_000, isOld: false)
    )
    for old in [old, new, []] {
      let lines = lines(old, new)
      for offset in stride(from: 0, to: new.count, by: 997) {
        let around = lines.count {
          $0.range.contains(offset) && $0.range.lowerBound + Tuning.LineFinder.farthestBack <= offset
        }
        #expect(around <= 8)
      }
      for line in lines where line.alignment.source == .new {
        for offset in [line.range.lowerBound, line.range.upperBound - 8] {
          #expect(line.alignment.sourceOffset(of: offset) < line.range.lowerBound)
        }
      }
    }
  }
}
