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
    apt-cache) [ ! -e "$here/unknown" ] || ! grep -qxF "$2" "$here/unknown" ;;
    sudo) echo "$*" >>"$here/done" ;;
    esac
    """

  init() throws {
    scratch = try Scratch("setup")
    try Directory(opening: scratch.path).makeDirectory("bin")
    for tool in ["id", "dpkg-query", "sudo", "apt-get", "apt-cache"] {
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

  @Test("of two names of a package, the one that this release of the distribution has is installed")
  func otherName() throws {
    try scratch.write("unknown", "nginx-light\n")
    let (outcome, done) = try run(installed: "sqlite3")
    #expect(outcome.status == 0)
    #expect(done.contains("apt-get install -q --yes --no-install-recommends nginx\n"))
    #expect(done.contains("update-rc.d nginx disable\n"))
  }

  /// On another distribution, for the packages of the demonstration.
  private func run(
    on scripts: [String: String], _ groups: String...
  ) throws -> (outcome: ChildProcess.Outcome, done: String) {
    var scripts = scripts
    scripts["sudo"] = "echo \"$*\" >>\(scratch.path)/done"
    scripts["id"] = "echo 1000"
    let system = try OtherSystem("other", in: scratch, scripts: scripts)
    let outcome = try ChildProcess.run(
      "\(Checkout.root)/scripts/setup", groups, environment: ["PATH": system.path])
    return (outcome, String(decoding: try scratch.read("done"), as: UTF8.self))
  }

  @Test(
    "where there is dnf, Fedora's packages are installed, and the ones that have no name there are left out")
  func fedora() throws {
    let rpm = "case \"$*\" in *sqlite) ;; *) exit 1 ;; esac"
    let (outcome, done) = try run(on: ["dnf": "", "rpm": rpm], "demo", "package")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(
      done
        == "dnf install --assumeyes --quiet --setopt=install_weak_deps=False nginx-core binutils mmdebstrap systemd\n"
    )
  }

  @Test("elsewhere, missing programs and headers are named, and nothing is installed")
  func elsewhere() throws {
    let (outcome, done) = try run(on: ["nginx": ""], "demo")
    #expect(outcome.status == 1 && done.isEmpty)
    #expect(
      outcome.error
        == "setup: sqlite3 is missing: the demonstration's sample maps\n"
        + "setup: this machine has neither apt nor dnf; install what has these programs and headers, and try again: sqlite3\n"
    )
  }

  @Test("elsewhere, a machine that has what is needed is ready")
  func elsewhereComplete() throws {
    let (outcome, done) = try run(on: ["sqlite3": "", "nginx": ""], "demo")
    #expect(outcome.status == 0 && done.isEmpty && outcome.error.isEmpty, "\(outcome)")
  }
}
