internal import MapModel

/// Which release an operation goes to.
struct TargetChoice {
  /// Nil: nothing is installed, and nothing is to be.
  let target: CatalogedRelease?
  /// The newest release, if the application is too old for it and the repository was asked.
  var announced: AnnouncedRelease?
}
