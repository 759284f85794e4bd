import Platform
import Testing

@testable import Publisher

@Suite("Directory containment")
struct DirectoryContainmentTests {
  @Test("a directory is within itself and those above it, by whatever way it was reached")
  func within() throws {
    let scratch = try TestRepository()
    try scratch.write("a/b/c/file", "x")
    try scratch.write("other/file", "x")
    let root = try Directory(opening: scratch.input)
    try root.makeSymbolicLink("other/link", to: "../a/b")
    let a = try root.openDirectory("a")
    for name in ["a", "a/b", "a/b/c", "other/../a", "other/link/c"] {
      let directory = try Directory(opening: "\(scratch.input)/\(name)")
      #expect(try directory.isWithin(a), "\(name)")
    }
    for name in ["", "other", "a/.."] {
      let directory = try Directory(opening: "\(scratch.input)/\(name)")
      #expect(try !directory.isWithin(a), "\(name)")
    }
  }
}
