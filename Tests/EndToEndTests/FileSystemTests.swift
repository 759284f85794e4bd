import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// What a store takes of its file system, and whose files are in it.
  @Suite("File systems")
  struct FileSystemTests {
    private let sample: Sample

    init() throws { sample = try Sample.shared.get() }

    private static let user: UInt32 = 65_534

    // MARK: - Owners

    @Test(
      "whoever runs a command, the files of a store belong to its owner, who can go on",
      .enabled(if: getuid() == 0, "only root can act as another user"),
      arguments: ["check", "boot", "apply"])
    func owner(command: String) throws {
      let scratch = try Scratch("owner")
      try scratch.makeDirectory("store")
      try Programs.run("chmod", "-R", "go+rX", scratch.path)
      try Programs.run("chown", "\(Self.user):\(Self.user)", "\(scratch.path)/store")
      let repository = try sample.repository.copy(to: "\(scratch.path)/repository", upTo: 2)
      let device = try Device(repository.url, root: "\(scratch.path)/store", trusting: repository)
      let asUser = ["setpriv", "--reuid=\(Self.user)", "--regid=\(Self.user)", "--clear-groups"]
      func run(_ words: String...) throws -> Device.Run {
        try device.finish(device.start(words, before: asUser))
      }
      let first = try run("install", SampleMaps.installed[0], SampleMaps.installed[1])
      #expect(first.exit == 0, "\(first)")
      try Programs.run(
        "sh", "-c", "cp -r --remove-destination \(sample.repository.path)/. \(repository.path)")
      #expect([0, 10].contains(try device.run(command).exit))
      let foreign = try Programs.run("find", device.root, "!", "-uid", "\(Self.user)")
      #expect(foreign == "", "\(foreign)")
      let second = try run("apply")
      #expect(second.exit == 0, "\(second)")
      #expect(try device.installed() == sample.expected[4])
    }

    @Test(
      "a file of another user is named as what it is, and not as a lack of hard links",
      .enabled(if: getuid() == 0, "only root can act as another user"))
    func foreignFile() throws {
      let scratch = try Scratch("foreign")
      let device = try sample.device(at: 2, root: "\(scratch.path)/store")
      try Programs.run("sh", "-c", "chmod -R go+rX \(scratch.path); chown -R \(Self.user) \(device.root)")
      try Programs.run("sh", "-c", "chown 0 \(device.root)/current/maps/europe/*/*")
      let asUser = ["setpriv", "--reuid=\(Self.user)", "--regid=\(Self.user)", "--clear-groups"]
      let run = try device.finish(
        device.start(["--repository", sample.repository.url, "apply"], before: asUser))
      guard try contents("/proc/sys/fs/protected_hardlinks").first == UInt8(ascii: "1") else { return }
      #expect(run.exit == 78, "\(run)")
      #expect(run.error.contains("belongs to another user") && run.error.contains("chown -R"), "\(run)")
    }

    // MARK: - What it lacks

    @Test(
      "what the file system lacks is said before anything is downloaded",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"),
      arguments: [
        ("linkat:error=EPERM", "no hard links"), ("symlinkat:error=EPERM", "no symbolic links"),
        ("fsync:error=EINVAL:when=2+", "lacks what a store needs"),
      ])
    func lacking(injection: String, sentence: String) throws {
      let server = try WebServer(sample.repository.path)
      let device = try Device(server.url, trusting: sample.repository)
      let words = ["strace", "-f", "-o", "/dev/null", "-e", "inject=\(injection)"]
      let run = try device.finish(device.start(["install", "europe"], before: words))
      // The queue comes first: its file is flushed, and then its name.
      #expect(run.exit == (injection.hasPrefix("fsync") ? 24 : 78), "\(run)")
      #expect(run.error.contains(sentence), "\(run)")
      #expect(try server.finish().payloads == [])
    }

    // MARK: - Space that is not shown

    @Test(
      "maps in the lower layer of an overlay are copied up before anything is downloaded",
      .enabled(if: Volume.isPossible, "mounting file systems takes root"), arguments: [1, 16])
    func overlay(megabytes: Int) throws {
      let scratch = try Scratch("overlay")
      try scratch.makeDirectory("lower")
      try scratch.makeDirectory("merged")
      _ = try sample.device(at: 2, root: "\(scratch.path)/lower/store")
      let upper = try Volume(megabytes: megabytes)
      try Programs.run("mkdir", "\(upper.path)/upper", "\(upper.path)/work")
      let layers =
        "lowerdir=\(scratch.path)/lower,upperdir=\(upper.path)/upper,workdir=\(upper.path)/work"
      try Programs.run("mount", "-t", "overlay", "-o", layers, "tinyupdater-test", "\(scratch.path)/merged")
      defer { _ = try? Programs.run("umount", "--lazy", "\(scratch.path)/merged") }
      let server = try WebServer(sample.repository.path)
      let device = try Device(
        server.url, root: "\(scratch.path)/merged/store", trusting: sample.repository,
        settings: "space_reserve = 0")
      let before = try device.installed()
      let run = try device.run("install", "world")
      if megabytes == 1 {
        #expect(run.exit == 22 && run.error.contains("No space left on device"), "\(run)")
        #expect(try device.installed() == before)
        #expect(try server.finish().payloads == [])
      } else {
        #expect(run.exit == 0, "\(run)")
      }
    }

    @Test(
      "a quota that refuses a file keeps what is downloaded for the next run",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
    func quota() throws {
      let server = try WebServer(sample.repository.path)
      let device = try sample.device(at: 2, of: server.url)
      let before = try device.installed()
      let words = ["strace", "-f", "-o", "/dev/null", "-e", "inject=fallocate:error=EDQUOT:when=5+"]
      let run = try device.finish(device.start(["apply"], before: words))
      #expect(run.exit == 22 && run.error.contains("quota"), "\(run)")
      #expect(try device.installed() == before)
      let staged = try device.staged.filter { !$0.hasSuffix(".part") }
      #expect(staged.count >= 2)
      let first = Set(try server.finish().payloads.map(\.path))
      let again = try WebServer(sample.repository.path)
      #expect(try device.run("--repository", again.url, "apply").exit == 0)
      #expect(try device.installed() == sample.expected[4])
      // What was refused has come nearly to its end or not begun.
      let second = Set(try again.finish().payloads.map(\.path))
      #expect(first.count > 2 && first.intersection(second).count <= 1, "\(first) \(second)")
    }
  }
}
