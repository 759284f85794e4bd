internal import Crypto
internal import Platform
internal import Trust

/// Whether this device is among the hundredths of all devices that a release is for already.
///
/// Which ones they are differs from release to release, so that not always the same devices are the first, and stays
/// the same for one release, so that a larger share only adds devices. A device without an identity waits until
/// the release is for all.
struct RolloutShare {
  private let identity: [UInt8]?

  /// Identified by machine-id(5).
  init() { self.init(identity: RolloutShare.machineID) }

  /// Nil: without an identity.
  init(identity: [UInt8]?) { self.identity = identity }

  func includes(_ release: ReleaseTarget) -> Bool {
    guard release.rollout < 100 else { return true }
    guard let identity else { return false }
    do throws(HasherError) {
      let bytes = identity + release.catalog.hex.utf8
      let digest = try Hasher.digest(of: bytes.span.bytes)
      let place = UInt64(digest.bytes[0]) << 16 | UInt64(digest.bytes[1]) << 8 | UInt64(digest.bytes[2])
      return place % 100 < release.rollout
    } catch { return false }
  }

  private static var machineID: [UInt8]? {
    do throws(FileError) {
      let bytes = try File(opening: "/etc/machine-id").bytes(upTo: 64)
      return bytes.count >= 32 ? Array(bytes.prefix(32)) : nil
    } catch { return nil }
  }
}
