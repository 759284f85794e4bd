import MapService
import Platform
import TestSupport
import Testing

@testable import TinyUpdater

@Suite("Requests to the process that starts commands")
struct StarterRequestTests {
  @Test("a request is read as it was written")
  func roundTrip() {
    let requests: [StarterRequest] = [
      .stop(1), .stop(.max), .stop(1 << 40 + 7), .start(.getStatus, ["status"]), .start(.repair, ["repair"]),
      .start(.install, ["install", "--", "", "europe/malta", "--root=/"]),
    ]
    for request in requests { #expect(StarterRequest(request.bytes) == request) }
  }

  @Test("other bytes are no request, whatever they are, or start no command that is not the method's")
  func hostile() {
    let methods = UInt8(MapMethod.allCases.count)
    let others: [[UInt8]] = [
      [], [0], [0, 1, 2], [0, 0x31, 0x20], [1], [methods + 1, 65, 0], [255, 0], [1, 65],
    ]
    for bytes in others { #expect(StarterRequest(bytes) == nil, "\(bytes)") }
    var random = SeededGenerator(1)
    for _ in 0..<2000 {
      let count = Int(random.next() % 40)
      let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next() % 3 == 0 ? 0 : random.next())
      }
      guard case .start(let method, let words) = StarterRequest(bytes) else { continue }
      #expect(!method.mayHave(words), "\(bytes)")
    }
  }

  @Test(
    "a request that is none, or for what the method does not have, ends the service",
    arguments: [
      [], [7], StarterRequest.start(.getStatus, ["status", "--root=/"]).bytes,
      StarterRequest.start(.update, ["rollback"]).bytes, [UInt8](repeating: 1, count: 70_000),
    ])
  func foreign(bytes: [UInt8]) throws {
    let (own, other) = try ProcessChannel.pair()
    #expect(other.send(StarterRequest.stop(9).bytes))
    if bytes.isEmpty { other.end() } else { #expect(other.send(bytes)) }
    var starter = DoorStarter(own, options: [])
    starter.run()
    #expect(other.receive(upTo: 20) == nil)
  }
}
