import Platform
import TestSupport
import Testing

/// A command that changes a store, and what is true before and after it.
struct StoreChange {
  let command: [String]
  /// Has the store as it is before.
  let start: Device
  /// Gets a copy of that store for each try.
  let device: Device
  let old: [String: String]
  let new: [String: String]
  /// The exit code of the command.
  var exit: Int32 = 0
  /// The exit codes of the command where it has been carried out already.
  var exitsAgain: [Int32] = [0]
  /// What is true in the end beyond the maps.
  var check: () throws -> Void = {}
  /// A download that the device owes stays in the queue.
  var owes = false
  /// The command has done what it is for; nil: the maps say so.
  var isDone: (() throws -> Bool)?
  /// The maps are changed by an operation that waits already: the exit code is that of the command's own.
  var changesAnother = false
  /// The folder of what the devices use.
  let files: Scratch

  init(_ command: [String], from start: Device, _ device: Device, new: [String: String], files: Scratch)
    throws
  {
    self.command = command
    self.start = start
    self.device = device
    self.new = new
    self.files = files
    old = try start.seen()
  }

  /// Those of the tests, by name.
  enum Kind: String, CaseIterable {
    case apply, install, uninstall, rollback, confirm, cancel, check
    case firstStart, rebuilding, repairing, repairingNoted, deselecting, followingSelection
    case applyingBundle, provisioning, metered
    case staging, stagingAgain, activating, activatingAtStart, uninstallingBesideStandby
    case leaving, leavingByPatches, returning
    case arriving, departing
    case leavingOut, regaining
  }

  init(_ kind: Kind, of sample: Sample, in files: Scratch) throws {
    switch kind {
    case .apply: self = try StoreChange.command(["apply"], sample, files)
    case .install: self = try StoreChange.command(["install", "world/rivers"], sample, files)
    case .uninstall: self = try StoreChange.command(["uninstall", "europe/malta"], sample, files)
    case .rollback: self = try StoreChange.command(["rollback"], sample, files)
    case .confirm: self = try StoreChange.confirming(sample, files)
    case .cancel: self = try StoreChange.cancelling(sample, files)
    case .check: self = try StoreChange.checking(files)
    case .firstStart: self = try StoreChange.firstStart(sample, files)
    case .rebuilding: self = try StoreChange.rebuilding(sample, files)
    case .repairing: self = try StoreChange.repairing(isNoted: false, sample, files)
    case .repairingNoted: self = try StoreChange.repairing(isNoted: true, sample, files)
    case .deselecting: self = try StoreChange.deselecting(sample, files)
    case .followingSelection: self = try StoreChange.followingSelection(sample, files)
    case .applyingBundle: self = try StoreChange.applyingBundle(sample, files)
    case .provisioning: self = try StoreChange.provisioning(sample, files)
    case .metered: self = try StoreChange.metered(sample, files)
    case .staging: self = try StoreChange.staging(sample, files)
    case .stagingAgain: self = try StoreChange.stagingAgain(sample, files)
    case .activating: self = try StoreChange.activating("activate", sample, files)
    case .activatingAtStart: self = try StoreChange.activating("boot", sample, files)
    case .uninstallingBesideStandby: self = try StoreChange.uninstallingBesideStandby(sample, files)
    case .leaving: self = try StoreChange.leaving(sample, files)
    case .leavingByPatches: self = try StoreChange.leavingByPatches(sample, files)
    case .returning: self = try StoreChange.returning(sample, files)
    case .arriving: self = try StoreChange.arriving(files)
    case .departing: self = try StoreChange.departing(files)
    case .leavingOut: self = try StoreChange.leavingOut(sample, files)
    case .regaining: self = try StoreChange.regaining(sample, files)
    }
  }

  /// A command on a device at release 2, while the repository is at 4.
  private static func command(_ command: [String], _ sample: Sample, _ files: Scratch) throws -> StoreChange {
    let start = try sample.device(at: 2)
    if command == ["rollback"] { #expect(try start.run("apply").exit == 0) }
    let device = try Device(sample.repository.url)
    try device.copyStore(of: start)
    #expect(try device.run(command).exit == 0)
    var change = try StoreChange(command, from: start, device, new: try device.installed(), files: files)
    // These two are done once: the package is gone, and there is nowhere to go back to.
    if ["uninstall", "rollback"].contains(command[0]) { change.exitsAgain = [0, 64] }
    return change
  }

  /// An update over a network that counts what comes, and stores payloads before it applies them.
  private static func metered(_ sample: Sample, _ files: Scratch) throws -> StoreChange {
    // Its errors go to a pipe, which thousands of missing roots would fill.
    let server = try WebServer(sample.repository.path, directives: "log_not_found off;")
    let start = try sample.device(at: 2)
    let device = try Device(server.url, settings: "download_limit_day = 1G")
    var change = try StoreChange(
      ["apply"], from: start, device, new: try #require(sample.expected[4]), files: files)
    // It has to live as long as the change.
    change.check = { withExtendedLifetime(server) {} }
    return change
  }

  /// A user takes the release that a rollback has left, whose generation is still there.
  private static func returning(_ sample: Sample, _ files: Scratch) throws -> StoreChange {
    let start = try sample.device(at: 2)
    for command in ["apply", "rollback"] { #expect(try start.run(command).exit == 0) }
    let device = try Device(
      sample.repository.url, settings: "trial = yes", "trial_boots = 2", "at_boot = nothing")
    var change = try StoreChange(
      ["apply", "--release", "4"], from: start, device, new: try #require(sample.expected[4]), files: files)
    change.check = { () throws in
      // Where the one that is there cannot be read, another one is made.
      #expect(try device.release() == 4)
      // No start undoes it before it has had its trial.
      #expect(try device.json("boot").event("boot")["state"] as? String == "on-trial")
      #expect(try device.run("confirm").exit == 0)
      for _ in 0..<3 { #expect(try device.json("boot").event("boot")["state"] as? String == "ready") }
      #expect(try device.seen() == sample.expected[4])
    }
    return change
  }

  private static func confirming(_ sample: Sample, _ files: Scratch) throws -> StoreChange {
    let start = try sample.device(at: 2)
    #expect(try start.run("apply").exit == 0)
    let device = try sample.device(at: 2)
    var change = try StoreChange(
      ["confirm"], from: start, device, new: try #require(sample.expected[4]), files: files)
    change.check = { () throws in #expect(try names("\(device.root)/generations").count == 1) }
    return change
  }

  /// An operation and a partial download of a killed process are cancelled.
  private static func cancelling(_ sample: Sample, _ files: Scratch) throws -> StoreChange {
    let start = try sample.device(at: 2)
    try files.write("request", "tinyupdater-operation 1\ninstall\nid world/rivers\nid europe\nend\n")
    try Programs.run("mv", "\(files.path)/request", "\(start.root)/queue/90")
    try files.write("part", "a partial download")
    try Programs.run(
      "mv", "\(files.path)/part", "\(start.root)/staging/\(String(repeating: "0", count: 64)).part")
    let device = try sample.device(at: 2)
    var change = try StoreChange(
      ["cancel"], from: start, device, new: try #require(sample.expected[2]), files: files)
    change.check = {
      let waiting = try names("\(device.root)/queue").filter { UInt64($0) != nil }
      #expect(waiting == [])
      #expect(try device.run("apply").exit == 0)
      #expect(try device.installed() == sample.expected[4])
    }
    return change
  }

  /// A check that learns of new keys and a new release.
  static func checking(_ files: Scratch) throws -> StoreChange {
    let repository = PublishedRepository(path: "\(files.path)/repository")
    try repository.make()
    try files.write("maps/europe/malta/base.bin", "a map")
    try repository.publish("\(files.path)/maps", label: "one")
    let start = try Device(repository.url, trusting: repository)
    #expect(try start.run("install", "europe").exit == 0)
    for role in ["timestamp", "snapshot"] {
      try repository.tinypublish("key", "rotate", repository.path, role)
    }
    try files.write("maps/europe/malta/base.bin", "another map")
    try repository.publish("\(files.path)/maps", label: "two")
    let device = try Device(repository.url, trusting: repository)
    try device.copyStore(of: start)
    #expect(try device.run("check").exit == 10)
    let new = try device.trusted()
    var change = try StoreChange(["check"], from: start, device, new: try start.installed(), files: files)
    change.exit = 10
    change.exitsAgain = [10]
    change.check = { () throws in #expect(try device.trusted() == new) }
    return change
  }

  private static func firstStart(_ sample: Sample, _ files: Scratch) throws -> StoreChange {
    let base = try sample.base(with: "world/airports", in: files)
    let settings = "offline = yes\nbase = \(base)\nat_boot = nothing"
    let start = try Device("https://127.0.0.1:1", settings: settings)
    for name in ["", "/generations", "/staging"] { try Programs.run("mkdir", start.root + name) }
    let device = try Device("https://127.0.0.1:1", settings: settings)
    let airports = try #require(sample.expected[4]).filter { $0.key.hasPrefix("world/airports/") }
    var change = try StoreChange(["boot"], from: start, device, new: airports, files: files)
    change.check = { () throws in #expect(try device.run("verify").exit == 0) }
    return change
  }

  private static func rebuilding(_ sample: Sample, _ files: Scratch) throws -> StoreChange {
    let start = try sample.device(at: 4, settings: "at_boot = nothing")
    try Programs.run("rm", "\(start.root)/current/manifest")
    let device = try sample.device(at: 4, settings: "at_boot = nothing")
    var change = try StoreChange(
      ["boot"], from: start, device, new: try #require(sample.expected[4]), files: files)
    change.check = { () throws in #expect(try device.run("verify").exit == 0) }
    return change
  }

  /// Two maps are damaged; `isNoted`: `verify` has found that.
  private static func repairing(isNoted: Bool, _ sample: Sample, _ files: Scratch) throws -> StoreChange {
    let start = try sample.device(at: 2)
    #expect(try start.run("apply").exit == 0)
    for name in ["malta", "iceland"] {
      try Damage.flip("\(start.root)/current/maps/europe/\(name)/base.bin")
    }
    if isNoted { #expect(try start.run("verify").exit == 24) }
    let device = try sample.device(at: 2)
    var change = try StoreChange(
      ["repair"], from: start, device, new: try #require(sample.expected[4]), files: files)
    change.check = { () throws in
      #expect(try device.json("status").number("status", "damaged") == 0)
      let current = try #require(try device.current?.split(separator: "/").last.map(String.init))
      #expect(try names("\(device.root)/generations") == ["1", current])
      #expect(try device.run("verify").exit == 0)
    }
    return change
  }

  private static func deselecting(_ sample: Sample, _ files: Scratch) throws -> StoreChange {
    let start = try sample.device(at: 4)
    let device = try sample.device(at: 4)
    var change = try StoreChange(
      ["groups", "deselect", "search"], from: start, device, new: try #require(sample.expected[4]),
      files: files)
    let isDone = {
      guard try Directory(opening: device.root).status(of: "groups") != nil else { return false }
      return try contents("\(device.root)/groups") == Array("search\n".utf8)
    }
    change.isDone = isDone
    change.check = { () throws in #expect(try isDone()) }
    return change
  }

  /// The maps follow a selection of data groups.
  private static func followingSelection(_ sample: Sample, _ files: Scratch) throws -> StoreChange {
    let start = try sample.device(at: 4)
    #expect(try start.run("groups", "deselect", "search").exit == 0)
    let device = try sample.device(at: 4)
    let all = try #require(sample.expected[4])
    let without = all.filter { !$0.key.hasSuffix("/search.bin") }
    #expect(without.count < all.count)
    var change = try StoreChange(["apply"], from: start, device, new: without, files: files)
    change.check = { () throws in #expect(try device.run("verify").exit == 0) }
    return change
  }

  /// An update by what a stick has: everything, since a map that cannot be read is taken in full.
  private static func applyingBundle(_ sample: Sample, _ files: Scratch) throws -> StoreChange {
    try sample.repository.pack("\(files.path)/update.tar", in: files)
    let start = try sample.device(at: 2, of: "https://127.0.0.1:1")
    let device = try sample.device(at: 2, of: "https://127.0.0.1:1")
    return try StoreChange(
      ["apply", "--from", "\(files.path)/update.tar"], from: start, device,
      new: try #require(sample.expected[4]), files: files)
  }

  /// What is made in the end is the same, whatever happened before.
  private static func provisioning(_ sample: Sample, _ files: Scratch) throws -> StoreChange {
    let command = ["provision", "--from", "\(files.path)/all.tar"]
    try sample.repository.bundle(command[2], "--for", "europe", "world/airports")
    let start = try Device("https://127.0.0.1:1")
    try Programs.run("mkdir", start.root)
    let device = try Device("https://127.0.0.1:1")
    #expect(try device.run(command).exit == 0)
    let whole = try digests(device.root)
    var change = try StoreChange(
      command, from: start, device, new: try #require(sample.expected[4]), files: files)
    change.check = { () throws in #expect(try digests(device.root) == whole) }
    return change
  }

  /// All points of a run of the command.
  ///
  /// Only those of each of three runs: a run that is slower for once says more often how far it has come.
  func points() throws -> [SystemCalls.Point] {
    func points() throws -> [SystemCalls.Point] {
      try device.copyStore(of: start)
      return try SystemCalls.points(of: device, command, exit: exit, log: "\(files.path)/trace")
    }
    let others = try [points(), points()]
    return try points().filter { point in others.allSatisfy { $0.contains(point) } }
  }

  /// What an interrupted run must not leave in the end, by name.
  func debris() throws -> [String] {
    let kept = try device.stagedForStandby()
    var debris = try device.staged.filter { !kept.contains($0) }.map { "staging/\($0)" }
    debris += try names("\(device.root)/generations").filter { Int($0) == nil }.map { "generations/\($0)" }
    for folder in ["", "/queue", "/trust", "/catalogs"]
    where try Directory(opening: device.root).status(of: folder.isEmpty ? "." : String(folder.dropFirst()))
      != nil
    {
      debris += try names(device.root + folder)
        .filter { name in
          // A torn file of the queue means nothing, and goes later.
          try name.hasSuffix(".new")
            || folder == "/queue" && !owes && UInt64(name) != nil
              && contents("\(device.root)/queue/\(name)").suffix(5).elementsEqual("\nend\n".utf8)
        }
        .map { "\(folder)/\($0)" }
    }
    return debris
  }
}

extension Device {
  /// What a reader finds: the digests of the maps; none where nothing is installed.
  func seen() throws -> [String: String] { try current == nil ? [:] : installed() }

  /// The digests of the signed metadata that it trusts.
  func trusted() throws -> [String: String] { try digests("\(root)/trust").filter { $0.key != "floor" } }
}
