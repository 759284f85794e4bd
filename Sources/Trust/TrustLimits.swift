internal import JSONReading

/// How much of signed metadata is accepted: one place, each figure with its reason.
package enum TrustLimits {
  /// Bytes of a root file: what the reference implementation takes.
  package static var root: UInt64 { 512_000 }
  /// Bytes of a timestamp file: one entry, and signatures of a few keys.
  package static var timestamp: UInt64 { 16_384 }
  /// Bytes of a snapshot file, whatever the timestamp says of its length.
  package static var snapshot: UInt64 { 2_000_000 }
  /// Bytes of a targets file, whatever the snapshot says of its length.
  package static var targets: UInt64 { 5_000_000 }
  /// Roots that one run walks up; the next run continues there.
  package static var rootRotations: Int { 256 }
  /// Keys in one root or one delegations object.
  package static var keys: Int { 1024 }
  /// Signatures of one file: each may cost a verification.
  package static var signatures: Int { 256 }
  /// Bytes of a text for which `JSONLimits.document` may suffice.
  package static var fileInMemory: UInt64 { UInt64(JSONLimits.document / 2) }
  /// Bytes of one target path, role name or key id.
  package static var name: Int { 1024 }
}
