internal import MapReading

/// Limits of the store's own files.
package enum StoreLimits {
  /// Bytes of the file `format`: a number of 64 bits and a line feed.
  static var formatFile: UInt64 { 21 }
  /// Operations that wait at a time: many times what a user asks for at once.
  static var operations: Int { 64 }
  /// Names in the queue's directory that are read: many times the number of operations and results.
  static var queueNames: Int { 4096 }
  /// Ids of one operation, and as many exceptions.
  static var operationIDs: Int { 256 }
  /// Bytes of a file in the queue: that many ids of 200 bytes, twice.
  static var operationFile: UInt64 { 128 << 10 }
  /// Bytes of all operations that wait at a time: in memory they take twice that, beside whatever is at work.
  static var operationFiles: UInt64 { 256 << 10 }
  /// Results that are kept for the processes that wait for them.
  static var results: Int { 32 }
  /// Bytes of the file that shows what is at work: its numbers, and the names of two components.
  static var activeFile: UInt64 { 4096 }
  /// Bytes of the event log before a new one is started; the previous one is kept.
  static var events: UInt64 { 256 << 10 }
  /// Bytes that a follower keeps of one event: as many ids of 200 bytes as an operation has fit.
  static var eventLine: Int { 64 << 10 }
  /// Bytes that `history` may have before its older half goes: hundreds of updates.
  static var history: UInt64 { 64 << 10 }
  /// Bytes of a line of it: eighteen words, most of them numbers, and the text at its end.
  static var historyLine: Int { 1024 }
  /// Bytes of that text: a URL and a short reason.
  static var historyFailure: Int { 512 }
  /// Bytes of a line of a manifest.
  static var manifestLine: Int { MapReadingLimits.line }
  /// Components of a generation that are found by their bytes: many times what devices have, at 16 bytes each.
  static var digests: Int { 16 << 10 }
  /// Words of a line of a sealed file; the last one has the rest of the line, of a path with many spaces.
  static var words: Int { MapReadingLimits.words }
  /// Old generations that one run removes: many more than power loss and readers leave, and the next run continues.
  static var generations: Int { 1024 }
  /// Old generations that are tried where the manifest of the current one is lost: many times the two that are kept.
  static var candidates: Int { 64 }
  /// Bytes of the newest known release: two labels, a digest and numbers.
  static var knownRelease: UInt64 { 1024 }
  /// Damaged components that are noted: a device with more of them has failing storage, and is repaired step by step.
  static var damaged: Int { 256 }
  /// Bytes of that note: as many lines as a manifest may have them.
  static var damageFile: UInt64 { 256 << 10 }
  /// Bytes of the file that says how far a verification came: numbers, and the name of a component.
  static var verificationFile: UInt64 { 2048 }
  /// Data groups that can be deselected: many times what any map has.
  static var deselectedGroups: Int { 256 }
  /// Generations on trial: the current one, and one that is about to become current.
  static var trials: Int { 2 }
  /// Releases that are blocked: more than a publisher gets wrong in a row; of more, the first is forgotten.
  static var blockedReleases: Int { 8 }
  /// Bytes of the file of both: that many lines of a label, six numbers and two words, twice.
  static var trialFile: UInt64 { 4096 }
  /// Bytes of the file `standby`: a label, a digest and numbers.
  static var standbyFile: UInt64 { 1024 }
  /// Bytes of the file `contact`: two times.
  static var contactFile: UInt64 { 256 }
  /// Reports that wait for the server of the fleet: of those of a week without it, the last ones say the most.
  static var reports: Int { 8 }
  /// Bytes of one in its file, with the lines around it.
  static var reportFile: UInt64 { 4096 }
  /// Bytes of the file `downloads`.
  static var downloadRecord: UInt64 { 512 }
  /// Starts of the device in one day of `downloads` for which nothing says when it ends: more than most devices have.
  static var startsOfDay: UInt64 { 8 }
  /// Packages that are there because the device was near them: many times what a day of driving passes.
  static var arrivals: Int { 1024 }
  /// Packages and regions that a user did not want there; of more, the first is forgotten.
  static var refusals: Int { 64 }
  /// Bytes of the file of both: that many ids of 200 bytes, each with two times.
  static var areaFile: UInt64 { 512 << 10 }
  /// Packages that are noted as refused; a server that refuses more refuses the device.
  package static var refusedPackages: Int { 64 }
  /// Bytes of the file of them: that many ids of 200 bytes, each with a time and some words.
  static var refusedFile: UInt64 { 32 << 10 }
}
