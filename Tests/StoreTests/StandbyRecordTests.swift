import Crypto
import MapModel
import Platform
import TestSupport
import Testing

@testable import Store

/// The file that names what stands by.
@Suite("Standby record")
struct StandbyRecordTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch("standby-record") }

  private func standby(_ generation: UInt64?, effective: Int64? = nil) throws -> Standby {
    Standby(
      CatalogedRelease(
        Release(number: 4, label: "four"),
        catalog: CatalogReference(digest: try Fixture.digest("catalog"), size: 7)),
      generation: generation, base: 7, time: 1000, effective: effective)
  }

  private func open() throws -> LockedStore { try LockedStore(opening: "\(scratch.path)/store") }

  @Test("what is announced is read as it was written")
  func written() throws {
    let store = try open()
    for standby in [try standby(9), try standby(nil), try standby(9, effective: 2000)] {
      try store.announce(standby)
      #expect(try store.reading.standby() == standby)
    }
    try store.removeStandby()
    #expect(try store.reading.standby() == nil)
  }

  @Test("every prefix and every changed byte of a record counts as no record, and can be replaced")
  func damaged() throws {
    let store = try open()
    try store.announce(try standby(9, effective: 2000))
    let bytes = try scratch.read("store/standby")
    var damaged = bytes.indices.map { Array(bytes[..<$0]) }
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 0x21
      damaged.append(changed)
    }
    damaged += [bytes + [10], bytes + bytes, [UInt8](repeating: 10, count: 1 << 16)]
    for bytes in damaged {
      try scratch.write("store/standby", bytes)
      #expect(try store.reading.standby() == nil)
    }
    try store.announce(try standby(9))
    #expect(try store.reading.standby() == standby(9))
  }

  @Test(
    "a record with a right digest and wrong lines counts as no record",
    arguments: [
      "", "generation 9\nbase 7", "generation 09\nbase 7\ntime 1", "generation 9\nbase -1\ntime 1",
      "generation 9\nbase 7\ntime x", "in-place 1\nbase 7\ntime 1", "generation 9\nbase 7\ntime 1\neffective",
      "generation 9\nbase 7\ntime 1\nother 2", "generation 9\nbase 7\ntime 1\neffective 1\neffective 1",
    ])
  func wrongLines(lines: String) throws {
    let store = try open()
    let digest = try Fixture.digest("catalog").hex
    func write(_ lines: String) throws {
      let text = "tinyupdater-standby 1\nrelease 4 four\ncatalog \(digest) 7\n\(lines)\n"
      try scratch.write("store/standby", Array("\(text)end \(try Fixture.digest(text).hex)\n".utf8))
    }
    try write(lines)
    #expect(try store.reading.standby() == nil)
    try write("generation 9\nbase 7\ntime 1000")
    #expect(try store.reading.standby() == standby(9))
  }
}
