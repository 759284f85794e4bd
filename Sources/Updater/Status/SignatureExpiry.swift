internal import Platform
internal import Store
internal import Trust

/// Until when what a role has signed is valid, of the metadata that the device trusted last.
package struct SignatureExpiry {
  /// "root", "targets", "snapshot" or "timestamp".
  package let role: String
  /// In seconds since 1970.
  package let time: Int64
  /// That time has come, by the time that decides about signatures.
  package let isOver: Bool

  /// Those of all roles; none if the device has trusted nothing yet.
  ///
  /// Opens no connection.
  package static func all(_ configuration: Configuration) -> [SignatureExpiry] {
    do throws(Failure) {
      // Looking for it must not make it.
      guard try Store.lookAtTrust(configuration.root) != nil else { return [] }
      let now = try ReleaseFinder.now(configuration)
      let expiries = try ReleaseFinder.expiries(in: configuration.root)
      return expiries.map { SignatureExpiry(role: $0.role.name, time: $0.expires, isOver: now >= $0.expires) }
    } catch { return [] }
  }
}
