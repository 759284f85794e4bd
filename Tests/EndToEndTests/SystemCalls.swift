import Platform
import TestSupport
import Testing

/// The system calls that change a disk, and what strace does at one of them.
enum SystemCalls {
  /// Reads that share the name of a call do no harm.
  static let changing = [
    "openat", "write", "writev", "pwrite64", "rename", "renameat", "renameat2", "link", "linkat", "symlink",
    "symlinkat", "unlink", "unlinkat", "rmdir", "mkdir", "mkdirat", "ftruncate", "fsync", "fdatasync",
    "fallocate", "syncfs",
  ]

  static let isTraceable = {
    do throws(FileError) {
      return try ChildProcess.run("strace", ["-o", "/dev/null", "true"]).status == 0
    } catch {
      return false
    }
  }()

  /// The Nth call with a name that a run makes, counted from 1.
  struct Point: CustomStringConvertible {
    let call: String
    let number: Int
    var description: String { "\(call) \(number)" }
  }

  /// What happens at a point.
  enum Injection {
    case kill
    /// The call does nothing but fail with this error, such as `EIO`.
    case failure(String)

    fileprivate var text: String {
      switch self {
      case .kill: "signal=SIGKILL"
      case .failure(let name): "error=\(name)"
      }
    }
  }

  /// The words in front of a command that is disturbed at `point`.
  ///
  /// `log` is written, and says whether the point was reached. Without `--seccomp-bpf`, with which strace 6.1 sends no
  /// signals.
  static func words(
    injecting injection: Injection, at point: Point, followingChildren: Bool = true, log: String = "/dev/null"
  ) -> [String] {
    (followingChildren ? ["strace", "-f"] : ["strace"]) + [
      "-o", log, "-e", "trace=\(point.call)",
      "-e", "inject=\(point.call):\(injection.text):when=\(point.number)",
    ]
  }

  /// All points of a run of `command`, which has to end with `exit`; `log` is written.
  static func points(
    of device: Device, _ command: [String], exit: Int32 = 0, log: String, followingChildren: Bool = true
  ) throws -> [Point] {
    let before =
      ["strace"] + (followingChildren ? ["-f"] : []) + [
        "-o", log, "-e", "trace=\(changing.joined(separator: ","))",
      ]
    let run = try device.finish(device.start(command, before: before))
    #expect(run.exit == exit, "\(run.error)")
    var counts: [String: Int] = [:]
    for line in String(decoding: try contents(log), as: UTF8.self).split(separator: "\n") {
      // "PID call(…": lines about signals and exits have no such name.
      let call = line.drop { $0.isNumber || $0 == " " }.prefix { $0 != "(" }
      if changing.contains(String(call)) { counts[String(call), default: 0] += 1 }
    }
    return changing.flatMap { call in
      (0..<counts[call, default: 0]).map { Point(call: call, number: $0 + 1) }
    }
  }

  /// Every point is tried, and not a sample of them.
  static var areAllTried: Bool { environment("TINYUPDATER_CRASH") == "full" }
}
