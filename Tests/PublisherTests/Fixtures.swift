import MapModel
import TestSupport
import Testing

@testable import Catalog
@testable import Publisher

/// Data that looks like a map's: it packs to a half or so, and changes here and there.
enum Maps {
  static func data(_ seed: UInt64, size: Int = 60_000) -> [UInt8] {
    var state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
    return (0..<size).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state >> 60)  // four bits of eight
    }
  }

  /// The same with a byte in every `step` changed.
  static func changed(_ data: [UInt8], every step: Int = 5000) -> [UInt8] {
    var data = data
    for index in stride(from: 17, to: data.count, by: step) { data[index] ^= 0x55 }
    return data
  }

  /// Two packages, three components; `edit` changes what a release changes.
  static func write(to scratch: TestRepository, edit: ([UInt8]) -> [UInt8] = { $0 }) throws {
    try scratch.write("europe/malta/base.gpkg", edit(data(1)))
    try scratch.write("europe/malta/search.sqlite", data(2, size: 20_000))
    try scratch.write(
      "europe/malta/map.xml",
      "<map id=\"europe/malta\" group=\"Europe\" country=\"Malta\" region=\"\"><name>Malta</name></map>")
    try scratch.write("europe/france/grand-est/base.gpkg", edit(data(3, size: 90_000)))
  }
}

/// The component of a report.
func component(_ report: ReleaseReport, id: PackageID, dataGroup: DataGroup = "base") throws
  -> ComponentReport
{
  try #require(report.components.first { $0.entry.name.id == id && $0.entry.name.dataGroup == dataGroup })
}
