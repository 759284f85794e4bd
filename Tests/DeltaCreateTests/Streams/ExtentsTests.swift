import PatchFormat
import Testing

@testable import DeltaCreate

@Suite("Extents")
struct ExtentsTests {
  private let extents = Extents([100..<110, 50..<60, 60..<65, 200..<201])

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
    #expect(Extents([]).part(0..<0) == [])
  }

  @Test("nothing can be read after the end")
  func reading() {
    let file: [UInt8] = Array(0...255)
    file.withUnsafeBufferPointer { bytes in
      let reader = ExtentReader(file: bytes, extents: extents)
      #expect(reader.byte(at: 25) == 200 && reader.byte(at: 26) == nil && reader.byte(at: -1) == nil)
      #expect(reader.bigEndian32(at: 8) == 0x6c6d_3233 && reader.bigEndian32(at: 23) == nil)
      #expect(reader.begins(with: [100, 101]) && !reader.begins(with: [100, 102]))
      #expect(!reader.begins(with: [200, 201], at: 25))
    }
  }
}
