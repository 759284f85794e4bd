internal import Crypto
internal import MapModel
internal import Platform

/// Decides whether this device is in the share of devices that a release is for.
///
/// The share differs from release to release, so that the first devices are not always the same ones. Within a release
/// it only grows. A device without an identity waits until the release is for all devices.
package struct RolloutShare {
  /// The file of machine-id(5).
  package static var machineIDPath: String { "/etc/machine-id" }

  private let identity: [UInt8]?

  /// Identified by machine-id(5).
  package init() { self.init(identity: RolloutShare.machineID) }

  /// Nil: without an identity.
  init(identity: [UInt8]?) { self.identity = identity }

  package func includes(_ release: ServedRelease) -> Bool {
    guard release.rollout < 100 else { return true }
    guard let identity else { return false }
    do throws(HasherError) {
      let bytes = identity + release.catalog.digest.hex.utf8
      let digest = try Hasher.digest(of: bytes.span.bytes)
      let position = UInt64(digest.bytes[0]) << 16 | UInt64(digest.bytes[1]) << 8 | UInt64(digest.bytes[2])
      return position % 100 < release.rollout
    } catch { return false }
  }

  /// The 32 hexadecimal digits of machine-id(5); nil if the device has none.
  package static var machineID: [UInt8]? {
    do throws(Failure) {
      let bytes = try File(opening: machineIDPath).bytes(upTo: 64)
      return bytes.count >= 32 ? Array(bytes.prefix(32)) : nil
    } catch { return nil }
  }
}
