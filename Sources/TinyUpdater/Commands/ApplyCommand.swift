internal import MapModel

/// `apply`: updates the installed maps to the newest release.
enum ApplyCommand {
  static var description: CommandDescription {
    .init(
      "apply", operands: .ids, options: [.from, .noWait, .spread, .release, .stage],
      summary: "update all installed maps to the newest release; with ids, before automatic updates")
  }

  static func make(_ invocation: Invocation) throws(UsageError) -> QueuedCommand {
    let release = try invocation.release()
    let mode = mode(invocation)
    return try QueuedCommand(invocation) { ids in .update(of: ids, to: release, mode: mode) }
  }

  /// What runs for a timer does as the configuration says.
  private static func mode(_ invocation: Invocation) -> UpdateMode {
    if invocation.has(.stage) { return .staged }
    return invocation.has(.spread) ? .automatic : .atOnce
  }
}

extension Invocation {
  /// The release that `--release` names; nil without that option.
  func release() throws(UsageError) -> ReleaseName? {
    guard let text = value(of: .release) else { return nil }
    guard let name = ReleaseName(text) else {
      throw error("\"\(text)\" is not a valid label or number of a release")
    }
    return name
  }
}
