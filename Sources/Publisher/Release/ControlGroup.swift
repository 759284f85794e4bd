internal import Platform

/// The limits of the control group of this process, such as those of a container.
///
/// A limit of a group holds for all groups in it, so the lowest one on the way to the root counts. Control groups of
/// version 2 are read, and those of version 1 in their usual places.
package struct ControlGroup: Equatable {
  /// In bytes; nil if no limit is known.
  package private(set) var memory: UInt64?
  /// The equivalent of full-time processors, at least one; nil if no limit is known.
  package private(set) var processors: Int?

  /// - `root`: where the control groups are mounted.
  /// - `membership`: the file that lists the groups of this process.
  package init(root: String = "/sys/fs/cgroup", membership: String = "/proc/self/cgroup") {
    for line in (ControlGroup.text(membership) ?? "").parts(separatedBy: "\n") {
      // ID:CONTROLLERS:PATH; without controllers in version 2.
      let parts = line.parts(separatedBy: ":", limit: 3)
      guard parts.count == 3 else { continue }
      let controllers = parts[1].parts(separatedBy: ",")
      for path in ControlGroup.ancestors(parts[2]) {
        if parts[1].isEmpty {
          limit(memory: ControlGroup.numbers("\(root)\(path)/memory.max").first)
          limit(processors: ControlGroup.numbers("\(root)\(path)/cpu.max"))
        } else if controllers.contains("memory") {
          limit(memory: ControlGroup.numbers("\(root)/memory\(path)/memory.limit_in_bytes").first)
        } else if controllers.contains("cpu") {
          let quota = ControlGroup.numbers("\(root)/cpu\(path)/cpu.cfs_quota_us")
          limit(processors: quota + ControlGroup.numbers("\(root)/cpu\(path)/cpu.cfs_period_us"))
        }
      }
    }
  }

  private mutating func limit(memory limit: UInt64?) {
    guard let limit else { return }
    memory = min(memory ?? .max, limit)
  }

  /// - `share`: microseconds of processor time, and the period in which they are available.
  private mutating func limit(processors share: [UInt64]) {
    guard share.count == 2, share[1] > 0 else { return }
    let count = share[0] / share[1] + (share[0] % share[1] > 0 ? 1 : 0)
    processors = min(processors ?? .max, max(1, Int(clamping: count)))
  }

  /// `/a/b`, `/a` and an empty path for the root: in a container, that is its own group.
  private static func ancestors(_ path: String) -> [String] {
    let parts = path.parts(separatedBy: "/").filter { !$0.isEmpty }
    return (0...parts.count).reversed().map { count in parts[..<count].map { "/\($0)" }.joined() }
  }

  /// The numbers in a file of one line; empty if it holds anything else ("max", -1) or does not exist.
  private static func numbers(_ path: String) -> [UInt64] {
    let words = (text(path) ?? "").split { $0 == " " || $0 == "\n" }
    let numbers = words.compactMap { UInt64(ascii: $0.utf8) }
    return numbers.count == words.count ? numbers : []
  }

  /// A group without a file, or with an unreadable one, has no known limit.
  private static func text(_ path: String) -> String? {
    do throws(Failure) {
      return String(decoding: try File(opening: path).bytes(upTo: 64 << 10), as: UTF8.self)
    } catch { return nil }
  }
}
