import PatchFormat
import Testing

@testable import DeltaCreate

@Suite("ZlibIdentity")
struct ZlibIdentityTests {
  @Test("the zlib that the tests are linked with is that of devices")
  func isKnown() { #expect(ZlibIdentity.isKnown) }
}
