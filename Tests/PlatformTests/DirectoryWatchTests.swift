import TestSupport
import Testing

@testable import Platform

@Suite("Watching a directory")
struct DirectoryWatchTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch("watch") }

  @Test("a file that is written or renamed is noticed once; removals and ignored names are not")
  func noticed() throws {
    let root = try Directory(opening: scratch.path)
    try scratch.write("inner/file", "x")
    guard var watch = DirectoryWatch(root) else {
      Issue.record("no watch")
      return
    }
    func hasChanges() -> Bool { watch.hasChanges { $0 == "ignored" } }
    #expect(!hasChanges())
    try root.replace("file", with: [1])
    #expect(hasChanges() && !hasChanges())
    try root.rename("file", to: "ignored")
    try scratch.write("ignored", "y")
    #expect(!hasChanges())
    try root.remove("ignored")
    try scratch.write("inner/file", "z")
    #expect(!hasChanges())
    try root.rename("inner/file", to: "other")
    #expect(hasChanges() && !hasChanges())
  }

  @Test("more changes than one call reads are not lost")
  func many() throws {
    let root = try Directory(opening: scratch.path)
    guard var watch = DirectoryWatch(root) else {
      Issue.record("no watch")
      return
    }
    func hasChanges() -> Bool { watch.hasChanges { $0.utf8.count == 200 } }
    let names = ["i", "j"].map { String(repeating: $0, count: 200) }
    for number in 0..<100 { try scratch.write(names[number % 2], "x") }
    try root.replace("file", with: [1])
    var calls = 0
    while hasChanges() { calls += 1 }
    #expect(calls > 1 && calls < 100)
  }

  @Test("a directory that cannot be watched has no watch")
  func impossible() throws {
    let root = try Directory(opening: scratch.path, shownAs: "\(scratch.path)/missing")
    let isWatched = DirectoryWatch(root) != nil
    #expect(!isWatched)
  }
}
