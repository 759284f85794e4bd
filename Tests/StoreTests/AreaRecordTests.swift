import MapModel
import Platform
import TestSupport
import Testing

@testable import Store

/// `area/packages`: which packages nobody has asked for.
@Suite("Area records")
struct AreaRecordTests {
  private func ids(_ texts: String...) throws -> [PackageID] { try texts.map { try #require(PackageID($0)) } }

  private func record() throws -> AreaRecord {
    var record = AreaRecord()
    record.add(try ids("europe/malta", "europe/gozo", "asia/nepal"), at: 1000)
    record.refuse(try ids("africa"), at: 1100)
    return record
  }

  /// What a store makes of a file.
  private func read(_ bytes: [UInt8]) throws -> AreaRecord {
    let scratch = try Scratch("area-record")
    try scratch.write("area/packages", bytes)
    return try AreaRecord(in: Directory(opening: scratch.path)) ?? AreaRecord()
  }

  @Test("what is written is read")
  func roundTrip() throws {
    var record = try record()
    record.looked = 900
    record.need(try ids("europe/gozo")[0], at: 5000)
    #expect(try read(record.bytes()) == record)
    #expect(try read(AreaRecord().bytes()) == AreaRecord())
  }

  @Test(
    "what a user asks for is forgotten, with all that lies below it; what one refuses does not come again")
  func claims() throws {
    var record = try record()
    record.claim(try ids("europe"))
    #expect(record.arrivals.map { $0.id.text } == ["asia/nepal"])
    #expect(record.isRefused(try ids("africa/chad")[0]))
    record.claim(try ids("africa"))
    #expect(!record.isRefused(try ids("africa/chad")[0]))
    record.refuse(try ids("asia/nepal"), at: 2000)
    #expect(record.arrivals.isEmpty)
    #expect(record.isRefused(try ids("asia/nepal")[0]))
    record.forgetRefusals(before: 2001)
    #expect(record == AreaRecord())
  }

  @Test("times only go forward, and a package that is there keeps the time at which it came")
  func times() throws {
    var record = try record()
    let malta = try ids("europe/malta")[0]
    record.need(malta, at: 500)
    #expect(record[malta]?.needed == 1000)
    record.add([malta], at: 3000)
    #expect(record[malta]?.since == 1000)
    record.need(try ids("europe/iceland")[0], at: 3000)
    #expect(record.arrivals.count == 3)
    record.add(try ids("a/b"), at: -5)
    #expect(record[try ids("a/b")[0]]?.since == 0)
  }

  @Test(
    "of more packages and refusals than fit, the rest counts as asked for, and the first refusals are forgotten"
  )
  func limits() throws {
    var record = AreaRecord()
    let names = (0..<1100).map { "square/\(10_000 + $0)" }
    let many = names.compactMap { PackageID($0) }
    record.add(many, at: 1)
    #expect(record.arrivals.count == 1024 && record[many[1050]] == nil)
    for (time, id) in many.enumerated() { record.refuse([id], at: Int64(time)) }
    #expect(record.refusals.count == 64 && record.refusals[0].id == many[1036])
    #expect(try read(record.bytes()) == record)
  }

  @Test(
    "files that are not as they were written say nothing",
    arguments: [
      "", "near 1 2 europe/malta\n", "looked x\n", "looked 1 2\n",
      "looked 1\nnear 1 europe/malta\n",
      "looked 1\nnear 1 2 ../etc\n", "looked 1\nnear -1 2 europe/malta\n", "looked 1\nfar 1 2 europe/malta\n",
      "looked 1\nnear 1 2 b\nnear 1 2 a\n", "looked 1\nnear 1 2 a\nnear 1 2 a\n", "looked 1\nrefused a\n",
      "looked 1\nrefused 1 2 a\n", "looked 1\n\n", "looked 99999999999999999999\n",
    ])
  func hostile(lines: String) throws {
    let sealed = try SealedText.seal("tinyupdater-area 1\n" + lines)
    #expect(try read(sealed) == AreaRecord())
    #expect(try read(SealedText.seal("tinyupdater-area 2\nlooked 1\n")) == AreaRecord())
  }

  @Test("of a file that is cut, or has another byte, nothing is taken")
  func damaged() throws {
    let bytes = try record().bytes()
    for index in stride(from: 0, to: bytes.count, by: 3) {
      #expect(try read(Array(bytes[..<index])) == AreaRecord())
      var other = bytes
      other[index] ^= 1
      #expect(try read(other) == AreaRecord())
    }
    #expect(try read(bytes + [10]) == AreaRecord())
  }
}
