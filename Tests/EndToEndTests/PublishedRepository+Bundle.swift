import Platform
import TestSupport

extension PublishedRepository {
  /// Makes a bundle at `path` with `tinypublish bundle`, which needs no keys; its outcome.
  @discardableResult
  func bundle(_ path: String, _ options: String...) throws -> ChildProcess.Outcome {
    let outcome = try ChildProcess.run(
      try Programs.tinypublish(), ["bundle", self.path, "--output", path] + options, timeout: 600)
    guard outcome.status == 0 else { throw Unmet("tinypublish bundle \(options) failed: \(outcome.error)") }
    return outcome
  }

  /// Packs all of it by tar in the order of names, from a copy in `scratch`.
  ///
  /// The copy has files of its own: tar complains of one that gets another hard link, as other tests give them.
  func pack(_ path: String, in scratch: Scratch) throws {
    let copy = "\(scratch.path)/packed"
    try Programs.run("cp", "-aT", self.path, copy)
    try Programs.run("rm", "-rf", "\(copy)/.work")
    try Programs.run("tar", "-cf", path, "-C", copy, "--sort=name", ".")
  }
}

extension Device {
  /// Runs a command whose standard input is what `words` of a shell write, with `$1` for `file`.
  func run(_ arguments: String..., reading words: String, of file: String) throws -> Run {
    let script = "\(words) | exec \"$2\" --config \"$3\" \(arguments.joined(separator: " "))"
    return try finish(
      ChildProcess("sh", ["-c", script, "sh", file, try Programs.tinyupdater(), configuration]))
  }
}
