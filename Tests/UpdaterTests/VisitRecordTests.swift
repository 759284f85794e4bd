import Catalog
import Platform
import TestSupport
import Testing

@testable import Updater

/// `area/visits` and `area/route`: where a device is and where it goes.
@Suite("Visits and routes")
struct VisitRecordTests {
  private func point(_ latitude: String, _ longitude: String) throws -> Point {
    try #require(Point(latitude, longitude))
  }

  @Test(
    "a place is noted when the device is elsewhere and some time has passed, each place once, the last ones only"
  )
  func visits() throws {
    var record = VisitRecord()
    #expect(record.add(try point("36", "14"), radius: 40_000, at: 1_000_000))
    // 5 km are an eighth of the radius.
    #expect(!record.add(try point("36.04", "14"), radius: 40_000, at: 1_001_000))
    #expect(!record.add(try point("37", "14"), radius: 40_000, at: 1_000_599))
    #expect(record.add(try point("37", "14"), radius: 40_000, at: 1_000_600))
    #expect(record.add(try point("36", "14"), radius: 40_000, at: 1_002_000))
    #expect(record.visits.map { $0.time } == [1_000_600, 1_002_000])
    // A clock that was set back says nothing of how long ago that was.
    #expect(record.add(try point("38", "14"), radius: 40_000, at: 10))
    for step in 0..<40 {
      #expect(record.add(try point("10", "\(step)"), radius: 40_000, at: 2_000_000 + Int64(step) * 600))
    }
    #expect(record.visits.count == 16)
    #expect(record.visits.last?.place == (try point("10", "39")))
  }

  @Test("places at the antimeridian and the poles are near each other")
  func edges() throws {
    for (first, second) in [(("-17", "179.99"), ("-17", "-179.99")), (("89.99", "0"), ("89.99", "180"))] {
      var record = VisitRecord()
      #expect(record.add(try point(first.0, first.1), radius: 40_000, at: 0))
      #expect(!record.add(try point(second.0, second.1), radius: 40_000, at: 5000))
    }
  }

  @Test("what is noted is read, and files that are not as they were written say nothing")
  func files() throws {
    let scratch = try Scratch("visits")
    #expect(try VisitRecord.note(point("36", "14"), radius: 1000, at: 1000, in: scratch.path))
    #expect(try VisitRecord.note(point("37", "-14.5"), radius: 1000, at: 2000, in: scratch.path))
    let record = try VisitRecord(in: scratch.path)
    #expect(record.visits.map { $0.place.words } == ["36 14", "37 -14.5"])
    let bytes = try contents("\(scratch.path)/area/visits")
    for index in stride(from: 0, to: bytes.count, by: 3) {
      var other = bytes
      other[index] ^= 1
      try scratch.write("area/visits", other)
      #expect(try VisitRecord(in: scratch.path).visits.isEmpty)
    }
    #expect(try VisitRecord.note(point("36", "14"), radius: 1000, at: 1000, in: scratch.path))
    #expect(VisitRecord(shown: "\(scratch.path)/nowhere").visits.isEmpty)
  }

  @Test("a route is kept as it was read, with what was left out of it, and written only if it is another one")
  func routes() throws {
    let scratch = try Scratch("route")
    var track = Track(for: 20_000)
    for step in 0..<3000 { track.add(try point("\(Double(step) / 100)", "\(Double(step % 7))")) }
    track.finish()
    #expect(try RouteRecord.replace(with: track, in: scratch.path))
    #expect(try !RouteRecord.replace(with: track, in: scratch.path))
    let read = try #require(try RouteRecord(in: scratch.path)).track
    #expect(read.points == track.points && read.deviation >= track.deviation)
    #expect(read.deviation < track.deviation + 1)
    let bytes = try contents("\(scratch.path)/area/route")
    #expect(bytes.count < 64 << 10)
    try scratch.write("area/route", Array(bytes.dropLast()))
    #expect(try RouteRecord(in: scratch.path) == nil)
    #expect(try RouteRecord.replace(with: nil, in: scratch.path))
    #expect(try !RouteRecord.replace(with: nil, in: scratch.path))
  }
}
