import Foundation
import Glibc
import TestSupport
import Testing

extension EndToEnd {
  /// Names that glibc resolves are resolved, whatever name servers do, and about as soon.
  ///
  /// `names/cases.py` has the cases; each runs in a network and with resolver files of its own.
  @Suite("Names", .enabled(if: Names.isPossible, "it takes root, python3, iproute2, and unshare(1)"))
  struct NameTests {
    @Test(
      "what glibc resolves is resolved", arguments: Names.cases.filter { $0 != "stopped" && $0 != "moved" })
    func resolved(name: String) throws {
      let outcome = try Names.run(name)
      let addresses = try #require(outcome["glibc"] as? [String])
      let resolves = try #require(outcome["resolves"] as? Bool)
      // Otherwise the case is not what it says.
      #expect(try addresses.isEmpty != #require(outcome["glibcResolves"] as? Bool), "\(outcome)")
      #expect(outcome["exit"] as? Int == (resolves ? 0 : 20), "\(outcome)")
      let seconds = try #require(outcome["seconds"] as? Double)
      let usual = try #require(outcome["glibcSeconds"] as? Double)
      // On a busy machine a run may take a second longer.
      #expect(seconds < usual + 3, "\(outcome)")
    }

    @Test("a signal ends a run within a second, also while no name server answers")
    func stopped() throws {
      let outcome = try Names.run("stopped")
      #expect(outcome["exit"] as? Int == 26, "\(outcome)")
      let seconds = try #require(outcome["seconds"] as? Double)
      #expect(seconds < 1, "\(outcome)")
    }

    @Test("where another program manages the network from now on, its name servers are asked")
    func moved() throws {
      let outcome = try Names.run("moved")
      #expect(outcome["exit"] as? Int == 0, "\(outcome)")
    }
  }
}

/// The cases of `names/cases.py`.
private enum Names {
  static let folder = "\(Checkout.root)/Tests/EndToEndTests/names"
  private static let namespaces = ["--mount", "--net"]

  static let isPossible: Bool = {
    do {
      let words = namespaces + ["ip", "link", "set", "lo", "up"]
      return try ChildProcess.run("unshare", words).status == 0 && !cases.isEmpty
    } catch { return false }
  }()

  static let cases: [String] = {
    do {
      let script = "import sys; sys.path.insert(0, '\(folder)'); import cases; print('\\n'.join(cases.CASES))"
      return try ChildProcess.run("python3", ["-B", "-c", script]).output.split(separator: "\n").map(
        String.init)
    } catch { return [] }
  }()

  /// What `names.py` prints about a case.
  static func run(_ name: String) throws -> [String: Any] {
    let repository = try Sample.shared.get().repository
    let scratch = try Scratch("names")
    let words = [
      "python3", "-B", "\(folder)/names.py", name, try Programs.tinyupdater(), repository.root,
      repository.path,
      scratch.path,
    ]
    let run = try ChildProcess.run("unshare", namespaces + words, timeout: 120)
    let value = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    return try #require(value as? [String: Any], "\(run)")
  }
}
