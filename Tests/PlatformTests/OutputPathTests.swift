import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite("OutputPath and OutputFile")
struct OutputPathTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch("output")
    try scratch.write("input", "read")
    try scratch.write("there", "before")
    try scratch.makeDirectory("folder")
    try scratch.write("folder/target", "before")
  }

  private func path(_ name: String) -> String { "\(scratch.path)/\(name)" }

  private func link(_ name: String, to target: String) throws {
    try Directory(opening: scratch.path).makeSymbolicLink(name, to: target)
  }

  private func output(_ name: String) throws(OperandError) -> OutputPath {
    try OutputPath(path(name), inputs: [path("input")])
  }

  private func write(_ text: String, to name: String) throws {
    let file = try OutputFile(output(name))
    try file.file.write(text)
    try file.complete()
  }

  /// What is refused is left as it is, and so is everything beside it.
  private func expectRefused(_ name: String, _ error: OperandError) throws {
    var before = stat()
    _ = lstat(path(name), &before)
    let names = try scratch.names()
    #expect(throws: error) { try output(name) }
    var after = stat()
    _ = lstat(path(name), &after)
    #expect(after.st_ino == before.st_ino && after.st_mode == before.st_mode)
    #expect(try scratch.names() == names)
  }

  @Test(
    "a pipe, a socket and a directory are refused, also at the end of symbolic links",
    arguments: [false, true])
  func kinds(throughLinks: Bool) throws {
    #expect(mkfifo(path("pipe"), 0o600) == 0)
    #expect(mknod(path("socket"), S_IFSOCK | 0o600, 0) == 0)
    for (name, kind) in [("pipe", .pipe), ("socket", .socket), ("folder", .directory)] as [(String, FileKind)]
    {
      guard throughLinks else {
        try expectRefused(name, .irreplaceable(path: path(name), kind))
        continue
      }
      try link("\(name).1", to: path(name))
      try link("\(name).2", to: "\(name).1")
      try expectRefused("\(name).2", .irreplaceable(path: path("\(name).2"), kind))
    }
  }

  @Test("a device is refused, also one like /dev/null", .enabled(if: getuid() == 0, "only root makes nodes"))
  func devices() throws {
    for (name, mode, device, kind) in [
      ("null", S_IFCHR, dev_t(1 << 8 | 3), .null), ("zero", S_IFCHR, dev_t(1 << 8 | 5), .device),
      ("disk", S_IFBLK, dev_t(7 << 8 | 200), .device),
    ] as [(String, mode_t, dev_t, FileKind)] {
      #expect(mknod(path(name), mode | 0o600, device) == 0)
      try link("\(name).link", to: name)
      for name in [name, "\(name).link"] { try expectRefused(name, .irreplaceable(path: path(name), kind)) }
    }
  }

  @Test("an input is refused by whatever name")
  func inputs() throws {
    #expect(Glibc.link(path("input"), path("hard")) == 0)
    try link("soft", to: "input")
    for name in ["input", "hard", "soft", "folder/../input"] {
      try expectRefused(name, .sameFile(path: path(name), as: path("input")))
    }
    #expect(try scratch.read("input") == Array("read".utf8))
  }

  @Test("a link to nothing, a directory that is missing and a name that is none are refused")
  func missing() throws {
    try link("dangling", to: "nothing")
    try expectRefused("dangling", .danglingLink(path: path("dangling")))
    try expectRefused("new/", .irreplaceable(path: path("new/"), .directory))
    try expectRefused("nowhere/new", .file(Failure(.noEntry, path: path("nowhere/"))))
    #expect(throws: OperandError.file(Failure(.noEntry, path: "\"\""))) { try OutputPath("", inputs: []) }
    #expect(throws: OperandError.standardOutput) { try OutputPath(file: "-", inputs: []) }
  }

  @Test("a file gets its name when it is complete, and replaces the one that a link leads to, not the link")
  func complete() throws {
    try write("made", to: "new")
    try write("made", to: "there")
    try link("link", to: "folder/target")
    try write("made", to: "link")
    for name in ["new", "there", "folder/target"] { #expect(try scratch.read(name) == Array("made".utf8)) }
    #expect(try Directory(opening: scratch.path).readSymbolicLink("link") == "folder/target")
    #expect(try scratch.names() == ["folder", "input", "link", "new", "there"])
    #expect(try scratch.names("folder") == ["target"])
  }

  @Test("one that is not completed leaves nothing, and what had its name as it was")
  func abandoned() throws {
    do {
      let file = try OutputFile(output("there"))
      try file.file.write("half")
      #expect(try scratch.names().count == 4)
    }
    #expect(try scratch.names() == ["folder", "input", "there"])
    #expect(try scratch.read("there") == Array("before".utf8))
  }

  @Test("two outputs of one name are the same, whether it exists or not")
  func same() throws {
    for name in ["there", "new"] {
      #expect(try output(name).isSame(as: output("folder/../\(name)")))
      #expect(try !output(name).isSame(as: output("\(name)x")))
    }
  }
}
