import PatchFormat
import Testing

@testable import DeltaCreate

@Suite("Extents")
struct ExtentsTests {
  private static let ranges = [100..<110, 50..<60, 60..<65, 200..<201]
  /// Of a file that is not read.
  private let extents = Extents(ranges, of: UnsafeBufferPointer(start: nil, count: 0))

  @Test("bytes are counted and have offsets in the order of the ranges")
  func offsets() {
    #expect(extents.count == 26)
    #expect(
      [0, 9, 10, 19, 20, 24, 25].map { extents.fileOffset(of: $0) } == [100, 109, 50, 59, 60, 64, 200])
  }

  @Test("a part of the ranges is taken, and ranges that are adjacent in the file are joined")
  func parts() {
    #expect(extents.part(0..<26) == [100..<110, 50..<65, 200..<201])
    #expect(extents.part(9..<11) == [109..<110, 50..<51])
    #expect(extents.part(10..<20) == [50..<60])
    #expect(extents.part(21..<26) == [61..<65, 200..<201])
    #expect(extents.part(3..<3) == [])
    #expect(Extents([], of: extents.file).part(0..<0) == [])
  }

  @Test("nothing can be read after the end")
  func reading() {
    let file: [UInt8] = Array(0...255)
    file.withUnsafeBufferPointer { bytes in
      let extents = Extents(Self.ranges, of: bytes)
      #expect(extents.byte(at: 25) == 200 && extents.byte(at: 26) == nil && extents.byte(at: -1) == nil)
      #expect(extents.bigEndian32(at: 8) == 0x6c6d_3233 && extents.bigEndian32(at: 23) == nil)
      #expect(extents.begins(with: [100, 101]) && !extents.begins(with: [100, 102]))
      let last = Extents([255..<256], of: bytes)
      #expect(last.begins(with: [255]) && !last.begins(with: [255, 0]))
    }
  }
}
