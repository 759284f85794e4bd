internal import MapModel

/// Which release an operation goes to.
struct TargetChoice {
  /// Nil: nothing is installed, and nothing is to be.
  let target: CatalogedRelease?
  /// From when on it is in effect, in seconds since 1970, if it is not yet.
  var effective: Int64?
  /// The device leaves a release that is recalled.
  var leaving: Leaving?
  /// The newest release, if the application is too old for it and the repository was asked.
  var announced: AnnouncedRelease?

  /// How a device leaves a release that is recalled.
  enum Leaving {
    /// By what the operation makes.
    case byUpdate
    /// By making the generation before current again, which is kept.
    case byRollback
  }
}
