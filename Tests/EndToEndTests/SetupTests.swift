import Glibc
import Platform
import TestSupport
import Testing

/// What `scripts/setup` does to a machine that lacks packages.
@Suite("Setup of a developer's machine")
struct SetupTests {
  private let scratch: Scratch

  /// Tools that write down what they are asked for; `dpkg-query` knows the packages in `installed`.
  private static let tools = """
    #!/bin/sh
    here=$(dirname "$0")/..
    case "$(basename "$0")" in
    id) echo 1000 ;;
    dpkg-query) ! grep -qxF "$4" "$here/installed" || printf installed ;;
    sudo) echo "$*" >>"$here/done" ;;
    esac
    """

  init() throws {
    scratch = try Scratch("setup")
    try Directory(opening: scratch.path).makeDirectory("bin")
    for tool in ["id", "dpkg-query", "sudo", "apt-get"] {
      try scratch.write("bin/\(tool)", SetupTests.tools)
      try #require(chmod("\(scratch.path)/bin/\(tool)", 0o755) == 0)
    }
    try scratch.write("done", "")
  }

  /// What is done as root if `installed` is there and the packages of the demonstration are wanted.
  private func run(installed: String...) throws -> (outcome: ChildProcess.Outcome, done: String) {
    try scratch.write("installed", installed.map { $0 + "\n" }.joined())
    let path = "\(scratch.path)/bin:\(environment("PATH") ?? "")"
    let outcome = try ChildProcess.run(
      "\(Checkout.root)/scripts/setup", ["demo"], environment: ["PATH": path])
    return (outcome, String(decoding: try scratch.read("done"), as: UTF8.self))
  }

  @Test("where everything is installed, nothing is done or printed")
  func complete() throws {
    let (outcome, done) = try run(installed: "sqlite3", "nginx-light")
    #expect(outcome.status == 0 && done.isEmpty && outcome.error.isEmpty)
  }

  @Test("the service of a web server that comes with the packages is disabled")
  func newServer() throws {
    let (outcome, done) = try run(installed: "sqlite3")
    #expect(outcome.status == 0)
    #expect(done.contains("apt-get install -q --yes --no-install-recommends nginx-light\n"))
    #expect(done.contains("update-rc.d nginx disable\n"))
  }

  @Test("the service of a server that was installed before stays as it is")
  func otherServer() throws {
    let (outcome, done) = try run(installed: "nginx-common")
    #expect(outcome.status == 0)
    #expect(done.contains("apt-get install -q --yes --no-install-recommends nginx-light sqlite3\n"))
    #expect(!done.contains("update-rc.d"))
  }
}
