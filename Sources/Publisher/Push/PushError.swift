/// Why a repository was not copied, or not all of it.
package enum PushError: Error, Equatable {
  /// `rclone` is in no directory of `PATH`.
  case noProgram
  /// The destination begins like an option.
  case notADestination(String)
  /// The destination has a timestamp of a higher version than the repository.
  case newerThere(String, version: UInt64, ours: UInt64)
  /// The first root at the destination is another one, or its timestamp is not a timestamp.
  case otherRepository(String)
  /// A file that a catalog lists is not in the repository, or has another size.
  case damaged(path: String)
  /// `rclone` failed; the last lines that it printed.
  case failed(PushStage, code: Int32, text: String)
  /// Other processes changed the repository again and again.
  case changing(path: String)

  package var sentence: String {
    switch self {
    case .noProgram:
      "push copies with the program rclone, which is not in PATH. Install it (Debian: apt install rclone)."
    case .notADestination(let text):
      "\"\(text)\" is not a valid destination: it begins with a dash. Write ./ before a directory of that name."
    case .newerThere(let place, let version, let ours):
      """
      \(place) has version \(version) of the timestamp, and this repository has \(ours): devices would refuse it. \
      Nothing was copied. Push from the repository that was published to last.
      """
    case .otherRepository(let place):
      """
      \(place) has the metadata of another repository, which devices would no longer trust. Nothing was copied. Name an \
      empty destination, or the one that this repository was pushed to.
      """
    case .damaged(let path):
      """
      \(path) is not the file that the catalog lists. Run "tinypublish verify --deep"; devices see what they saw before.
      """
    case .failed(let stage, let code, let text):
      """
      rclone could not copy \(stage.text) (exit \(code)): \(text.isEmpty ? "it printed nothing" : text). \
      \(stage.consequence) Fix the cause and repeat the command, which copies what is missing.
      """
    case .changing(let path):
      "\(path) was changed again and again while it was copied. Repeat the command later."
    }
  }
}

/// The files of one run of `rclone`.
package enum PushStage: Sendable, CaseIterable {
  /// Catalogs, components and payloads.
  case content
  /// The snapshot and the targets.
  case metadata
  case timestamp
  /// After the timestamp, for devices that can do without them.
  case roots
  /// Before the timestamp, which devices do not trust without them: a key was lost.
  case neededRoots
  case neededTimestamp

  /// In JSON.
  package var name: String {
    switch self {
    case .content: "content"
    case .metadata: "metadata"
    case .timestamp, .neededTimestamp: "timestamp"
    case .roots, .neededRoots: "roots"
    }
  }

  package var text: String {
    switch self {
    case .content: "maps"
    case .metadata: "metadata"
    case .timestamp, .neededTimestamp: "the timestamp"
    case .roots, .neededRoots: "roots"
    }
  }

  var isOfRoots: Bool { self == .roots || self == .neededRoots }

  /// Says what devices see if it fails.
  fileprivate var consequence: String {
    switch self {
    case .content, .metadata, .timestamp: "Devices see the old release."
    case .roots: "Devices see the new release."
    case .neededRoots, .neededTimestamp:
      """
      A key was replaced without the old one, so devices trust either the old metadata or the new root: until the command \
      has succeeded, they may refuse what is there, and keep their maps.
      """
    }
  }

  /// How long caches may keep these files: what a name stands for never changes, except for the timestamp's.
  var cacheControl: String {
    self == .timestamp || self == .neededTimestamp ? "no-cache" : "public, max-age=31536000, immutable"
  }
}
