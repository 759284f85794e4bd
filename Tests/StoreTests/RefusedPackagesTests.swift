import MapModel
import Platform
import TestSupport
import Testing

@testable import Store

/// `refused`: which packages a server does not give to this device.
@Suite("Refused packages")
struct RefusedPackagesTests {
  private func id(_ text: String) throws -> PackageID { try #require(PackageID(text)) }

  private func record() throws -> RefusedPackages {
    var record = RefusedPackages()
    record.add(.init(id: try id("europe/malta"), since: 1000, cause: "the server answers 403"))
    record.add(.init(id: try id("asia/nepal"), since: 900, cause: "it is not there"))
    return record
  }

  /// What a store makes of a file.
  private func read(_ bytes: [UInt8]) throws -> RefusedPackages {
    let scratch = try Scratch("refused-record")
    try scratch.write("refused", bytes)
    return try RefusedPackages(in: Directory(opening: scratch.path))
  }

  @Test("what is written is read, in the order of the ids")
  func roundTrip() throws {
    let record = try record()
    #expect(try read(record.bytes()) == record)
    #expect(record.all.map(\.id.text) == ["asia/nepal", "europe/malta"])
    #expect(try read(RefusedPackages().bytes()) == RefusedPackages())
  }

  @Test("a package that is refused again keeps the time at which that began")
  func again() throws {
    var record = try record()
    record.add(.init(id: try id("europe/malta"), since: 5000, cause: "the server answers 402"))
    #expect(record[try id("europe/malta")]?.since == 1000)
    #expect(record[try id("europe/malta")]?.cause == "the server answers 402")
    record.keep { $0.text.hasPrefix("asia") }
    #expect(record.all.count == 1)
  }

  @Test("a file that is cut short, altered or too large says nothing; no more is noted than a limit")
  func hostile() throws {
    let bytes = try record().bytes()
    for count in 0..<bytes.count { #expect(try read(Array(bytes[..<count])) == RefusedPackages()) }
    for place in stride(from: 0, to: bytes.count, by: 7) {
      var altered = bytes
      altered[place] ^= 1
      #expect(try read(altered) == RefusedPackages())
    }
    #expect(try read([UInt8](repeating: 0x78, count: 100_000)) == RefusedPackages())
    var many = RefusedPackages()
    for number in 0..<200 { many.add(.init(id: try id("p\(number)"), since: 1, cause: "x")) }
    #expect(many.all.count == StoreLimits.refusedPackages)
    #expect(try read(many.bytes()) == many)
  }
}
