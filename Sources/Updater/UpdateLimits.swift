/// Bounds of an update.
package enum UpdateLimits {
  /// The smallest budget that the program itself runs in; it leaves nothing for containers.
  package static var minimumBudget: UInt64 { ownMemory }
  /// What the program needs in addition to a container: libcurl and TLS, the catalog's decoder, buffers, the stack.
  ///
  /// Measured over https with `ulimit -d`: with containers that take 1.5 MiB an update passes in 3.5 MiB and
  /// fails in 3 MiB. A third of these 3 MiB is margin.
  static var ownMemory: UInt64 { 3 << 20 }
  /// Bytes of the stack, where the caller's limit is lower and may be raised.
  package static var stack: UInt64 { 1 << 20 }
  /// Bytes of the stack at least.
  ///
  /// Measured with `ulimit -s`: an install passes in 96 KiB and fails in 80.
  package static var minimumStack: UInt64 { 160 << 10 }
  /// What the program needs in addition to a container where no network is used.
  package static var ownPatchMemory: UInt64 { 1 << 20 }
  /// Bytes of a new file between two checkpoints.
  ///
  /// Each checkpoint waits for two flushes; without one, that much is downloaded and made again after a power loss.
  static var checkpointInterval: UInt64 { 4 << 20 }
  /// Bytes of one line of the configuration: room for a long URL.
  static var configurationLine: Int { 2048 }
  /// Bytes of a log file at least: room for some long lines, so that it is not renamed at every one.
  static var minimumLog: UInt64 { 16 << 10 }
  /// Bytes of the smallest limit of a store: its own files fit.
  static var minimumStorage: UInt64 { 1 << 20 }
  /// Bytes of memory for the index command at least: with less, not even a shell starts everywhere.
  static var minimumIndexMemory: UInt64 { 4 << 20 }
  /// Bytes at the end of the index command's output that go to the log.
  static var indexLog: UInt64 { 4 << 10 }
  /// Bytes of that output that are kept while the command runs.
  static var indexLogFile: UInt64 { 256 << 10 }
  /// Bytes below which a file system counts as full when the index command has failed.
  static var nearlyFull: UInt64 { 64 << 10 }
  /// Components of an operation whose `waiting`, `installed` and `removed` are emitted one by one; `list` shows all.
  static var componentEvents: Int { 256 }
  /// Packages that a plan names of those that the release no longer has.
  static var departures: Int { 64 }
  /// Staged files that are looked up in one walk through a plan.
  static var sweep: Int { 512 }
  /// Containers that are noted to make the wrong file; a publisher has one such bug at a time.
  static var unusable: Int { 64 }
  /// Milliseconds that `cancel` waits at most for the processes that carry out what it cancels: one that is building
  /// the new generation finishes that.
  static var cancellation: UInt64 { 60_000 }
  /// Milliseconds that a cancelled command waits for the process that carries it out: many times what that takes.
  package static var cancelling: UInt64 { 5000 }
  /// Bytes that are verified between two notes of how far that came; a power loss has them read again.
  static var verificationInterval: UInt64 { 64 << 20 }
  /// Seconds between two notes of where the device is, at least.
  static var positionInterval: Int64 { 600 }
  /// Places that are noted: what a day of driving passes, with an area of some tens of kilometres.
  static var visits: Int { 16 }
  /// Bytes of the file of them.
  static var visitFile: UInt64 { 4096 }
  /// Bytes of the file of a route: a point in less than 40.
  static var routeFile: UInt64 { 64 << 10 }
  /// How often an area that has no room is tried with half its radius.
  static var areaSteps: Int { 4 }
  /// Seconds between two notes that the device is near a package.
  static var needInterval: Int64 { 86_400 }
  /// Base URLs of one repository, and of depots.
  static var mirrors: Int { 8 }
  /// Files of depots that are remembered as lacking or wrong: each is asked for again at most.
  static var lackingFiles: Int { 64 }
  /// Milliseconds for which a server that failed is skipped.
  static var serverCooldown: UInt64 { 600_000 }
  /// How often a request is tried again before another server is asked.
  static var retriesBeforeOther: Int { 1 }
  /// Bytes a second that `rate_limit` leaves at least: several times what counts as a broken connection.
  static var minimumRate: UInt64 { 4 << 10 }
  /// Bytes that a limit of downloads leaves at least: enough for the metadata of a check.
  static var minimumDownload: UInt64 { 256 << 10 }
  /// Bytes that are received between two notes of it; a power loss has them not counted.
  static var downloadNote: UInt64 { 1 << 20 }
  /// Ids on one command line.
  package static var identifiers: Int { 256 }
  /// Seconds for which a run that has ended may still send reports.
  static var reporting: UInt64 { 10 }
}
