import Catalog
import Crypto
import MapModel
import Platform
import Store
import TestSupport
import Testing

@testable import Publisher

/// Many small files of a package are one component.
@Suite("TreeInput")
struct TreeInputTests {
  private let scratch: TestRepository

  init() throws { scratch = try TestRepository() }

  private func write(_ count: Int, size: Int, below folder: String = "tiles", from first: Int = 0) throws {
    try scratch.write(
      "\(folder)/map.xml", "<map package=\"tree\"><data-group name=\"search\" files=\"*.idx\"/></map>")
    for number in first..<first + count {
      try scratch.write(
        "\(folder)/\(number % 5)/\(number).pbf", [UInt8](repeating: UInt8(number & 255), count: size))
    }
  }

  private func names(_ report: ReleaseReport) -> [String] { report.components.map { $0.entry.name.path } }

  @Test("as many as the rule says are one component, which stays one, and the files of few stay files")
  func rule() async throws {
    try write(64, size: 100)
    try write(63, size: 100, below: "few")
    try write(70, size: 70_000, below: "large")
    try scratch.write("tiles/1/names.idx", "an index")
    let one = try await scratch.release("1")
    #expect(names(one).filter { $0.hasSuffix("/") } == ["tiles/"])
    #expect(names(one).contains("tiles/1/names.idx") && names(one).count == 63 + 70 + 2)
    let entry = try #require(one.components.first { $0.entry.name.path == "tiles/" }).entry
    #expect(entry.files == 64 && entry.description.dataSize == entry.size && entry.description.indexSize == 0)
    // More and fewer files change nothing of that.
    try write(5, size: 100, below: "few", from: 63)
    for number in 0..<10 { try scratch.remove("tiles/\(number % 5)/\(number).pbf") }
    let two = try await scratch.release("2")
    #expect(names(two).filter { $0.hasSuffix("/") } == ["tiles/"] && two.gone.isEmpty)
    let three = try await scratch.release("3")
    #expect(three.components.filter { !$0.isUnchanged }.isEmpty)
    #expect(try scratch.problems() == [])
  }

  @Test("the component is its front and the files in the order of their names, as a device reads it")
  func bytes() async throws {
    try write(80, size: 33)
    let entry = try await scratch.release("1").components[0].entry
    let path = "\(scratch.repository)/\(entry.url)"
    let front = try TreeFront(File(opening: path), total: entry.size)
    let bytes = try contents(path)
    #expect(front.count == 80 && UInt64(bytes.count) == entry.size)
    var last = ""
    for index in 0..<front.count {
      let member = try front.member(index)
      #expect(last < member.name)
      last = member.name
      let content = bytes[Int(member.offset)..<Int(member.end)]
      #expect(try contents("\(scratch.input)/tiles/\(member.name)") == Array(content))
      let digest = try Hasher.digest(of: Array(content).span.bytes)
      #expect(digest == member.digest)
    }
  }

  @Test("a file where another component has one is refused, in a tree as elsewhere")
  func places() async throws {
    try write(70, size: 10)
    try scratch.write("other/map.xml", "<map id=\"tiles/1\"/>")
    try scratch.write("other/6.pbf", "another")
    guard case .input(.samePath("tiles/1/6.pbf", _, _)) = await scratch.refusal() else {
      Issue.record("two files have one place")
      return
    }
  }
}
