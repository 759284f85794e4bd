internal import Crypto
internal import Platform
internal import Store

/// What the store says before a run, read once so that plan and commit see the same.
struct RunContext {
  /// The data groups that are selected.
  let groups: DataGroups
  /// Containers that earlier runs found to make the wrong file, by their heads.
  let unusable: [Digest]
  /// Installed components that are known to be damaged.
  var damage: DamageNote

  /// - `groups`: the selection, if not that of the store.
  init(_ store: borrowing Store, groups: DataGroups? = nil) throws(Failure) {
    self.groups = if let groups { groups } else { try store.dataGroups() }
    unusable = try store.staging.unusable(limit: UpdateLimits.unusable)
    damage = try VerificationFiles(opening: store.path).damage()
  }
}
