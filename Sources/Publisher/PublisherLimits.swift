/// The limits of the publisher's own inputs; sizes are in bytes.
package enum PublisherLimits {
  /// A `map.xml`: more than a description of it may have, for its indentation.
  static var mapFile: UInt64 { 4 << 20 }
  /// Levels of directories in the input: an id has eight parts, a map.xml can give a shorter one.
  static var inputDepth: Int { 32 }
  /// Parts of an id that follows from directories.
  static var idParts: Int { 8 }
  /// Names that cannot be published and are listed in one sentence: as many as a terminal shows.
  static var listedNames: Int { 10 }
  /// Bytes of the list of known inputs: some 400,000 files.
  static var knownInputs: UInt64 { 64 << 20 }
  /// Entries of an archive: each takes an inode while it is unpacked.
  static var archiveEntries: Int { 1_000_000 }
  /// Bytes that an archive may always unpack to, and how many times its own size beyond that: maps pack to a tenth or
  /// more, and an archive of endless zeros is not a map.
  static var archiveFloor: UInt64 { 1 << 30 }
  static var archiveRatio: UInt64 { 128 }
  /// Bytes of one part of a name, as in file systems.
  static var archiveName: Int { 255 }
  /// A file with a private or public key; an RSA key of 8192 bits takes some 7 KiB.
  static var keyFile: UInt64 { 16 << 10 }
  /// The first line of a passphrase file: more than keys accept.
  static var passphraseLine: Int { 4096 }
  /// A secret that is typed: one line of a terminal.
  static var typedSecret: Int { 4096 }
  /// Patches of one component that are carried over, the newest bases first: each takes some hundred bytes of a
  /// compressed catalog, which every device reads, and serves devices that are one more release out of date.
  static var carriedPatches: Int { 4 }
  /// Bytes of memory that a device with the usual budget of 8 MiB has for a container.
  static var deviceMemory: UInt64 { 5 << 20 }
  /// A metadata file: more than any of them may have.
  static var metadataFile: UInt64 { 5_000_000 }
  /// Releases in one repository: each takes some hundred bytes of the metadata, which every device reads.
  static var releases: Int { 1024 }
  /// Days that signatures can be valid.
  package static var validityDays: ClosedRange<Int64> { 1...36_500 }
  /// Bytes of a line of a plan: two paths of the longest that Linux has, with every character escaped, and some numbers.
  static var jobLine: Int { 64 << 10 }
  /// Jobs of one plan: more than the payloads of all components that a catalog can have.
  static var jobs: Int { 10_000_000 }
  /// How long a job waits for a command that has the payloads for a moment, in milliseconds; a release has them for hours.
  package static var longestPause: UInt64 { 5_000 }
  /// How long the work on a component is not worth an event, in milliseconds.
  static var quietWork: UInt64 { 10_000 }
  /// How long a finished release waits for the metadata, in milliseconds: long enough to type a passphrase.
  static var longestWait: UInt64 { 600_000 }
  /// Bytes of the record of the last push: a destination may be as long as a command line allows for a path.
  static var pushRecord: UInt64 { 64 << 10 }
  /// Lists of releases that are read to find out when releases were published: some ten for each release that is kept.
  static var datedLists: Int { 4096 }
  /// Releases with a page of their own in a report: each takes some MB for a world of maps.
  static var reportedReleases: Int { 12 }
  /// Releases back from which a report counts downloads.
  static var reportedBases: Int { 3 }
  /// Updates of a release whose patches a report takes apart: each is decoded, and both of its files are searched.
  static var explainedUpdates: Int { 10 }
  /// Bytes of the figures of one patch: with numbers of 19 digits they have some 2 KB.
  static var keptFigures: UInt64 { 16 << 10 }
}
