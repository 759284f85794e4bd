import Platform
import TestSupport
import Testing

/// A script that mounts file systems and runs the shipped programs on them.
struct DiskScript {
  let path: String
  /// Why this machine cannot run it; nil if it can.
  let obstacle: String?

  init(_ name: String) {
    path = "\(Checkout.root)/scripts/\(name)"
    do throws(Failure) {
      let outcome = try ChildProcess.run(path, ["--check"])
      obstacle =
        outcome.status == 0 ? nil : outcome.error.split(separator: "\n").last.map(String.init) ?? ""
    } catch { obstacle = "\(path) does not start: \(error.sentence)" }
  }

  var reason: Comment { Comment(rawValue: obstacle ?? "") }

  /// Runs it; a state that is not right is an issue.
  func expectNoFailures(_ arguments: [String]) throws {
    let words = [
      "TINYUPDATER=\(try Programs.tinyupdater())", "TINYPUBLISH=\(try Programs.tinypublish())", path,
    ]
    let outcome = try ChildProcess.run("env", words + arguments, timeout: 1200)
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.error)")
    #expect(outcome.output.contains(" 0 failures"), "\(outcome.output)")
  }
}
