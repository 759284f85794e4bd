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
    do throws(Failure) {
      return try ChildProcess.run("strace", ["-o", "/dev/null", "true"]).status == 0
    } catch {
      return false
    }
  }()

  /// The Nth call with a name that a run makes, counted from 1.
  struct Point: CustomStringConvertible, Equatable {
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

  /// Whether `command` is killed at `point`; else it has succeeded.
  ///
  /// An update in place may not reach the last points of another run: it writes how far it has come more or less often.
  static func kills(
    _ device: Device, _ command: [String], at point: Point, followingChildren: Bool = true
  ) throws -> Bool {
    let before = words(injecting: .kill, at: point, followingChildren: followingChildren)
    let run = try device.finish(device.start(command, before: before))
    #expect(run.exit == nil || run.exit == 0, "\(point): \(run.error)")
    return run.exit == nil
  }

  /// How many points were reached, of those that were tried: the number of a call depends on the time, as a command shows
  /// how far it is.
  final class Reached {
    private var (tried, missed) = (0, 0)

    func note(_ isReached: Bool) {
      tried += 1
      if !isReached { missed += 1 }
    }

    func expectMost() { #expect(missed <= tried / 10, "\(missed) of \(tried) calls were not reached") }
  }

  /// All points of a run of `command`, which has to end with `exit`; `log` is written.
  static func points(
    of device: Device, _ command: [String], exit: Int32 = 0, log: String, followingChildren: Bool = true
  ) throws -> [Point] {
    let before = words(log: log).filter { followingChildren || $0 != "-f" }
    return try calls(of: device, command, exit: exit, before: before, log: log).map(\.point)
  }

  /// A call in the order of the run, with what strace says of it.
  typealias Call = (point: Point, line: String)

  /// The calls of a run of `command` with these words of strace in front, which write `log`; its end has to be `exit`.
  static func calls(
    of device: Device, _ command: [String], exit: Int32 = 0, before: [String], log: String
  ) throws -> [Call] {
    let run = try device.finish(device.start(command, before: before))
    #expect(run.exit == exit, "\(run.error)")
    var counts: [String: Int] = [:]
    var calls: [Call] = []
    for line in String(decoding: try contents(log), as: UTF8.self).split(separator: "\n") {
      // "PID call(…": lines about signals and exits have no such name.
      let call = String(line.drop { $0.isNumber || $0 == " " }.prefix { $0 != "(" })
      guard changing.contains(call) else { continue }
      counts[call, default: 0] += 1
      calls.append((Point(call: call, number: counts[call] ?? 0), String(line)))
    }
    return calls
  }

  /// The calls of an update in place of `device` from which on there is no way back; `log` is written.
  static func callsWithoutWayBack(of device: Device, log: String) throws -> [Call] {
    let calls = try calls(of: device, ["apply"], before: words(log: log), log: log)
    return Array(calls.drop { !$0.line.contains("\"taken ") }.dropFirst())
  }

  /// The first call of an update in place of `device` after it has taken its base; `log` is written.
  static func callAfterBase(of device: Device, log: String) throws -> Call? {
    let calls = try calls(of: device, ["apply"], before: words(log: log), log: log)
    return calls.drop { !$0.line.contains("in-place/base\"") }.dropFirst().first
  }

  private static func words(log: String) -> [String] {
    ["strace", "-f", "-o", log, "-e", "trace=\(changing.joined(separator: ","))"]
  }

  /// Chooses a sample: `TINYUPDATER_SEED`, or another one each time.
  static let seed = environment("TINYUPDATER_SEED").flatMap { UInt64($0) } ?? .random(in: 0 ... .max)

  /// Every point is tried, and not a sample of them.
  static var areAllTried: Bool { environment("TINYUPDATER_CRASH") == "full" }

  /// Those of these kinds that `TINYUPDATER_KINDS` names, with commas between them; all of them without it.
  static func chosen<Kind: CaseIterable & RawRepresentable<String>>(_ type: Kind.Type) -> [Kind] {
    guard let names = environment("TINYUPDATER_KINDS")?.split(separator: ",").map(String.init) else {
      return Array(Kind.allCases)
    }
    for name in names {
      let isKind = StoreChange.Kind(rawValue: name) != nil || PublisherChange.Kind(rawValue: name) != nil
      precondition(isKind, "TINYUPDATER_KINDS: no kind of change is called '\(name)'")
    }
    return names.compactMap { Kind(rawValue: $0) }
  }
}
