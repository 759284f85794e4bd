import Platform
import TestSupport
import Testing

/// A command of `tinypublish` that changes a repository, and what is true before and after it.
struct PublisherChange {
  enum Kind: String, CaseIterable {
    case release, archive, plan, work, prune, recall, rotate, addKey, revokeKey

    var isOfReleases: Bool { self == .release || self == .archive || self == .prune || isOfJobs }
    /// Devices see nothing of it until the release is made.
    var isOfJobs: Bool { self == .plan || self == .work }
  }

  /// What devices see.
  struct Served: Equatable {
    /// Of the listed releases.
    let catalogs: [String]
    /// Of the recalled ones, the reasons.
    let recalls: Int
    /// Those by which devices go back.
    let waysBack: Int
    let roots: Int
  }

  let kind: Kind
  let arguments: [String]
  let repository: PublishedRepository
  let old: Served
  let new: Served
  /// The names of all files after an undisturbed run.
  let names: Set<String>
  /// Makes the release after a command that is of jobs.
  private let release: [String]
  private let start: String
  private let files: Scratch

  init(_ kind: Kind, in files: Scratch) throws {
    self.files = files
    self.kind = kind
    start = "\(files.path)/start"
    let original = PublishedRepository(path: "\(start)/repository")
    try files.makeDirectory("start")
    try original.make()
    // The middle one is listed by no patch that a device uses once there is a third.
    for release in 1...(kind == .prune ? 3 : 2) {
      try PublisherChange.write(release, to: files)
      try original.publish("\(files.path)/maps", label: "\(release)")
    }
    try PublisherChange.write(4, to: files)
    repository = PublishedRepository(path: "\(files.path)/try/repository")
    switch kind {
    case .release, .archive:
      var maps = "\(files.path)/maps"
      if kind == .archive {
        try Programs.run("tar", "-C", maps, "-czf", "\(maps).tar.gz", ".")
        maps += ".tar.gz"
      }
      arguments = ["release", repository.path, maps, "--label", "new", "--quiet", "--jobs", "1"]
    case .plan:
      arguments = PublisherChange.plan(repository, of: "\(files.path)/maps", to: "\(files.path)/try/jobs")
    case .work:
      let words = PublisherChange.plan(original, of: "\(files.path)/maps", to: "\(start)/jobs")
      #expect(try ChildProcess.run(try Programs.tinypublish(), words).status == 0)
      arguments = [
        "work", "\(files.path)/try/jobs", "--index", "0", "--repository", repository.path, "--quiet",
      ]
    case .prune: arguments = ["prune", repository.path, "--keep", "1"]
    case .recall:
      arguments = ["recall", repository.path, "2", "--because", "a reason", "--quiet", "--jobs", "1"]
    case .rotate: arguments = ["key", "rotate", repository.path, "targets"]
    case .addKey: arguments = ["key", "add", repository.path, "snapshot"]
    case .revokeKey:
      try original.tinypublish("key", "add", original.path, "timestamp")
      let key = try TestSupport.names(original.keys).first { $0.hasPrefix("timestamp-") } ?? ""
      let digits = key.dropFirst("timestamp-".count).prefix { $0 != "." }
      arguments = ["key", "revoke", repository.path, "timestamp", String(digits)]
    }
    try PublisherChange.copy(start, to: "\(files.path)/try")
    old = try repository.served()
    release = [
      "release", repository.path, "\(files.path)/maps", "--label", "new", "--quiet", "--jobs", "1",
    ]
    if kind.isOfJobs {
      let words = arguments
      #expect(try ChildProcess.run(try Programs.tinypublish(), words).status == 0)
      try repository.tinypublish(release)
    } else {
      try repository.tinypublish(arguments)
    }
    new = try repository.served()
    names = Set(try repository.fileNames().filter(PublisherChange.isKept))
    #expect(old != new)
  }

  /// Whether a file is more than a cache that a release leaves if nothing interrupts it, or a lock.
  private static func isKept(_ name: String) -> Bool {
    name != ".inputs" && !name.hasPrefix(".figures/") && !name.hasPrefix(".locks/")
  }

  /// One package, whose map changes with each release.
  private static func write(_ release: Int, to files: Scratch) throws {
    var generator = SeededGenerator(1)
    var map = (0..<20_000).map { _ in UInt8.random(in: 0..<32, using: &generator) }
    map[release * 100] = 0xff
    try files.write("maps/europe/malta/base.gpkg", map)
    try files.write("maps/europe/malta/search.sqlite", Array(map.prefix(5000)))
  }

  private static func plan(_ repository: PublishedRepository, of maps: String, to jobs: String) -> [String] {
    [
      "plan", repository.path, maps, "--label", "new", "--quiet", "--jobs", "1", "--jobs-to", jobs, "--ninja",
      "\(jobs).ninja",
    ]
  }

  private static func copy(_ source: String, to destination: String) throws {
    try Programs.run("rm", "-rf", destination)
    try Programs.run("cp", "-a", source, destination)
  }

  /// Makes the repository and its keys what they were at first.
  func restore() throws { try PublisherChange.copy(start, to: "\(files.path)/try") }

  /// Runs the command with words in front of it.
  func run(before: [String] = []) throws -> ChildProcess.Outcome {
    let words = before + [try Programs.tinypublish()] + arguments
    let keys =
      kind.isOfJobs ? [] : ["--keys", repository.keys, "--passphrase-file", repository.passphraseFile]
    // One thread beside the main one, so that calls have the same order in each run.
    return try ChildProcess.run(
      words[0], Array(words[1...]) + keys, environment: ["LIBDISPATCH_COOPERATIVE_POOL_STRICT": "1"])
  }

  /// How many calls that change the disk a run makes.
  func count() throws -> Int {
    try restore()
    let report = "\(files.path)/calls"
    let run = try run(before: try Tracer.words(["--quiet-reads", "--report", report, "count"]))
    #expect(run.status == 0, "\(run.error)")
    return String(decoding: try contents(report), as: UTF8.self).split(separator: "\n").count
  }

  /// What is wrong with what devices see, and with the command given again.
  func complaints(exit: Int32?, isNewExpected: Bool?) throws -> [String] {
    var complaints: [String] = []
    let served = try repository.served()
    // A recall is seen before the patches by which devices go back are there.
    if served != old && served != new && !(kind == .recall && served.recalls == new.recalls) {
      complaints.append("neither the old state nor the new one is served")
    }
    if let isNewExpected, (served == new) != isNewExpected {
      complaints.append("exit \(exit ?? -1), and the new state is served: \(served == new)")
    }
    complaints += try verify()
    let again = try run()
    // The label is taken, or the key is not listed any more.
    let isDone = served == new && again.status == 64
    if again.status != 0 && !isDone { complaints.append("given again: \(again)") }
    if kind.isOfJobs {
      if served != old { complaints.append("devices see something of it") }
      try repository.tinypublish(release)
      if try repository.served() != new { complaints.append("another release was made") }
    }
    complaints += try verify()
    // What is remembered of the input comes with the last release that was made of a directory.
    let left = try repository.fileNames().filter(PublisherChange.isKept)
    if !left.allSatisfy({ !$0.hasSuffix(".new") && !$0.hasSuffix(".part") && !$0.hasPrefix(".") }) {
      complaints.append("left behind: \(left)")
    }
    // A change of keys that was finished first has further versions of the metadata.
    if served == old && kind.isOfReleases && Set(left) != names {
      complaints.append("left: \(names.symmetricDifference(left))")
    }
    if try TestSupport.names(repository.keys).contains(where: { $0.hasSuffix(".new") }) {
      complaints.append("left behind among the keys")
    }
    return complaints
  }

  private func verify() throws -> [String] {
    let run = try ChildProcess.run(try Programs.tinypublish(), ["verify", repository.path, "--deep"])
    return run.status == 0 ? [] : ["the repository is wrong: \(run.output) \(run.error)"]
  }
}

extension PublishedRepository {
  /// What devices see, by the files themselves.
  func served() throws -> PublisherChange.Served {
    func version(of name: String, in file: String) throws -> Int {
      let text = String(decoding: try contents("\(path)/metadata/\(file)"), as: UTF8.self)
      let meta = try #require(text.firstRange(of: "\"\(name)\":{")).upperBound
      let start = try #require(text[meta...].firstRange(of: "\"version\":")).upperBound
      return try #require(Int(text[start...].prefix { $0.isNumber }))
    }
    let snapshot = try version(of: "snapshot.json", in: "timestamp.json")
    let targets = try version(of: "targets.json", in: "\(snapshot).snapshot.json")
    let text = String(decoding: try contents("\(path)/metadata/\(targets).targets.json"), as: UTF8.self)
    let catalogs = text.split(separator: "\"").filter { $0.hasPrefix("catalogs/") }.map(String.init)
    let roots = try names("\(path)/metadata").filter { $0.hasSuffix(".root.json") }
    func count(_ word: String) -> Int { text.split(separator: "\"").count { $0 == word } }
    return PublisherChange.Served(
      catalogs: catalogs, recalls: count("because"), waysBack: count("back"), roots: roots.count)
  }

  /// The paths of all files.
  func fileNames() throws -> [String] { try digests(path).keys.sorted() }
}
