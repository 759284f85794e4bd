import Glibc
import Platform
import TestSupport

/// A small file system of its own, mounted for as long as this object lives.
final class Volume {
  let path: String
  private let scratch: Scratch

  /// Mounting is the administrator's business.
  static let isPossible = getuid() == 0 && Programs.canMount

  /// `inodes`: how many files and directories it takes.
  init(megabytes: Int, inodes: Int = 100_000) throws {
    scratch = try Scratch("volume")
    path = "\(scratch.path)/volume"
    try scratch.makeDirectory("volume")
    try Programs.run(
      "mount", "-t", "tmpfs", "-o", "size=\(megabytes)m,nr_inodes=\(inodes)", "tinyupdater-test",
      path)
  }

  deinit { _ = try? Programs.run("umount", "--lazy", path) }

  func makeReadOnly() throws { try Programs.run("mount", "-o", "remount,ro", path) }

  func makeWritable() throws { try Programs.run("mount", "-o", "remount,rw", path) }

  /// Where `install` makes a store.
  var store: String { "\(path)/store" }

  /// Makes a store on it that has release 1 of `repository`.
  func install(_ id: String, of repository: PublishedRepository) throws {
    let first = try repository.copy(to: "\(scratch.path)/one", upTo: 1)
    let run = try Device(first.url, root: store, trusting: repository).run("install", id)
    guard run.exit == 0 else { throw Unmet("\(run)") }
  }

  /// Writes a file that leaves about this many bytes free.
  func fill(leaving free: Int) throws {
    let available = Int(try Directory(opening: path).space().available)
    try Programs.run("truncate", "-s", "0", "\(path)/filler")
    try Programs.run("fallocate", "-l", "\(available - free)", "\(path)/filler")
  }

  /// Writes a file until nothing more fits.
  func fill() throws {
    let file = try File(opening: "\(path)/filler", to: .replace)
    // Whole blocks first, then what is left.
    for size in [64 << 10, 4096, 1] {
      let bytes = [UInt8](repeating: 1, count: size)
      do throws(Failure) { while true { try file.write(bytes.span.bytes) } } catch {
        guard error.errno == .noSpace else { throw error }
      }
    }
  }
}

extension Programs {
  /// In a container root may have no right to mount.
  fileprivate static let canMount: Bool = {
    let script = "d=$(mktemp -d) && mount -t tmpfs -o size=1m none \"$d\" && umount \"$d\" && rmdir \"$d\""
    do throws(Failure) { return try ChildProcess.run("sh", ["-c", script]).status == 0 } catch {
      return false
    }
  }()
}
