import MapModel
import Platform
import TestSupport
import Testing

@testable import Store

@Suite("DataGroups")
struct DataGroupsTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch("groups") }

  private func open() throws(Failure) -> LockedStore {
    try LockedStore(opening: "\(scratch.path)/store")
  }

  @Test("without a selection everything is selected")
  func nothing() throws { #expect(try open().reading.dataGroups() == DataGroups()) }

  @Test("the selection is kept as lines in the order of their bytes")
  func roundTrip() throws {
    let store = try open()
    var groups = DataGroups()
    for name: DataGroup in ["terrain", "poi", "poi", "é"] { _ = groups.deselect(name) }
    try store.replaceDataGroups(with: groups)
    #expect(try String(decoding: scratch.read("store/groups"), as: UTF8.self) == "poi\nterrain\né\n")
    #expect(try store.reading.dataGroups() == groups)
    #expect(!groups.isSelected("poi") && groups.isSelected("base") && groups.isSelected("po"))
    groups.select("poi")
    groups.select("none")
    try store.replaceDataGroups(with: groups)
    #expect(try store.reading.dataGroups().deselected == ["terrain", "é"])
    #expect(try !scratch.exists("store/groups.new"))
  }

  @Test("base cannot be deselected, nor more groups than any map has")
  func bounds() {
    var groups = DataGroups()
    let isDeselected = groups.deselect("base")
    #expect(!isDeselected && groups == DataGroups())
    for number in 0..<StoreLimits.deselectedGroups { _ = groups.deselect("g\(number)") }
    #expect(groups.deselected.count == StoreLimits.deselectedGroups)
    let isOneMore = groups.deselect("one-more")
    #expect(!isOneMore && groups.isSelected("one-more"))
    let isStill = groups.deselect("g0")
    #expect(isStill)
  }

  @Test(
    "a damaged file is refused with its line",
    arguments: [
      ("base\n", 1), ("poi\n\n", 2), ("poi", 1), ("poi\nter/rain\n", 2), ("poi\na b\n", 2), ("\u{7f}\n", 1),
      (String(repeating: "a", count: 65) + "\n", 1), ("\0\n", 1),
      ((0...256).map { "g\($0)\n" }.joined(), 257),
    ])
  func damaged(text: String, line: Int) throws {
    let store = try open()
    try scratch.write("store/groups", text)
    let error = Fixture.error { () throws(Failure) in _ = try store.reading.dataGroups() }
    #expect(error == .unusableStore(path: "\(scratch.path)/store", .badGroups(line: line)))
  }

  @Test(
    "something else in the place of the file is refused, and left for a user to remove",
    arguments: ["directory", "link"])
  func otherKind(kind: String) throws {
    let store = try open()
    if kind == "directory" {
      try scratch.makeDirectory("store/groups")
    } else {
      try Directory(opening: scratch.path).makeSymbolicLink("store/groups", to: "/nowhere")
    }
    let error = Fixture.error { () throws(Failure) in _ = try store.reading.dataGroups() }
    #expect(error == .unusableStore(path: "\(scratch.path)/store", .strayGroups))
    #expect(error?.sentence.contains("remove it to select all data groups") == true)
  }

  @Test("what an interrupted change has left is removed")
  func leftover() throws {
    do { _ = try open() }
    try scratch.write("store/groups.new", "poi\n")
    #expect(try open().reading.dataGroups() == DataGroups())
    #expect(try !scratch.exists("store/groups.new"))
  }
}
