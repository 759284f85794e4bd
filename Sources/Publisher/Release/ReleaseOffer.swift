/// Which devices a release is for, and from when on.
package struct ReleaseOffer: Sendable {
  /// The percentage of devices that it is offered to.
  package var rollout: UInt64 = 100
  /// When its maps may become current, in seconds since 1970; nil: at once.
  package var effective: Int64?
  /// When its maps are not to be used any more, in seconds since 1970; nil: never.
  package var expires: Int64?

  package init() {}
}
