import Crypto
import MapModel
import Testing

@testable import Releases

@Suite("Rollout share")
struct RolloutShareTests {
  private func release(_ rollout: UInt64, number: UInt8 = 1) throws -> ServedRelease {
    ServedRelease(
      Release(number: UInt64(number), label: "r"),
      catalog: CatalogReference(digest: try Hasher.digest(of: [number].span.bytes), size: 1), rollout: rollout
    )
  }

  private let devices = (0..<1000).map { RolloutShare(identity: Array("device \($0)".utf8)) }

  @Test("about that many of a hundred devices are in it", arguments: [0, 1, 25, 99, 100] as [UInt64])
  func share(rollout: UInt64) throws {
    let release = try release(rollout)
    let count = devices.filter { $0.includes(release) }.count
    #expect(abs(count - Int(rollout) * 10) < 60, "\(count)")
    if rollout == 0 { #expect(count == 0) }
    if rollout == 100 { #expect(count == 1000) }
  }

  @Test("a larger share only adds devices, and another release has other first ones")
  func growing() throws {
    let (small, large, other) = (try release(10), try release(50), try release(10, number: 2))
    #expect(devices.allSatisfy { !$0.includes(small) || $0.includes(large) })
    #expect(devices.contains { $0.includes(small) != $0.includes(other) })
  }

  @Test("a device without an identity waits until the release is for all")
  func withoutIdentity() throws {
    #expect(try !RolloutShare(identity: nil).includes(release(99)))
    #expect(try RolloutShare(identity: nil).includes(release(100)))
  }
}
