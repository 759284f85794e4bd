import Platform
import Testing

@Suite("Channels between processes")
struct ProcessChannelTests {
  @Test("messages stay whole and in order, and the end is noticed")
  func messages() throws {
    let (first, second) = try ProcessChannel.pair()
    for message in [[1], [UInt8](repeating: 2, count: 16 << 10), [3, 4]] as [[UInt8]] {
      #expect(first.send(message))
    }
    #expect(second.receive(upTo: 20)?.bytes == [1])
    #expect(second.receive(upTo: 64 << 10)?.bytes.count == 16 << 10)
    first.end()
    #expect(second.receive(upTo: 2)?.bytes == [3, 4])
    #expect(second.receive(upTo: 2) == nil)
    #expect(!second.send([5]))
  }

  @Test("a message that is longer than may be counts as the end")
  func tooLong() throws {
    let (first, second) = try ProcessChannel.pair()
    #expect(first.send([1, 2, 3]))
    #expect(second.receive(upTo: 2) == nil)
  }
}
