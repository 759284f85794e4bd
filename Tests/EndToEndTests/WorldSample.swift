import Glibc
import Platform
import TestSupport
import Testing

/// The repository of a made-up world that is too large for a catalog without parts, in three releases, made once.
///
///     country000/part00     place00 to place99: 2 kB and a polygon each, which change in each release
///     country000/part01     the same
///     country000/part02     the same
final class WorldSample: Sendable {
  let repository: PublishedRepository
  static let packages = 300
  private static let path = "\(Scratch.base)/tinyupdater-world-\(getpid())"

  static let shared = Result { try WorldSample() }

  private init() throws {
    let scratch = try Scratch("world-sample")
    repository = PublishedRepository(path: "\(WorldSample.path)/repository")
    // Nothing that is static is ever freed.
    atexit { _ = try? Programs.run("rm", "-rf", WorldSample.path) }
    try Programs.run("mkdir", "-p", WorldSample.path)
    for release in 1...3 {
      let input = "\(scratch.path)/\(release)"
      try Programs.run(
        "python3", "\(Checkout.root)/bench/lib/made-up-world.py", "\(WorldSample.packages)", "\(release)",
        input)
      try repository.publish(input, label: "2026-0\(release)")
    }
  }
}
