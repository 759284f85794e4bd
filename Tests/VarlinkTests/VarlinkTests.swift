import JSONReading
import TestSupport
import Testing

@testable import Varlink

@Suite("Varlink")
struct VarlinkTests {
  private func parse(_ text: String) -> VarlinkCall? { VarlinkCall(Array(text.utf8)) }

  @Test("a call has a method with its interface, parameters, and what the client takes")
  func calls() throws {
    let call = try #require(
      parse(#"{"method":"org.example.Maps.At","parameters":{"latitude":-35.9e0,"n":1},"more":true}"#))
    #expect(call.interface == "org.example.Maps" && call.name == "At")
    #expect(call.wantsMore && !call.isOneway)
    #expect(call.parameters?.member("latitude")?.number == "-35.9e0")
    #expect(call.parameters?.member("n")?.whole == 1)
    let bare = try #require(parse(#"{"method":"Ping","parameters":null,"oneway":true}"#))
    #expect(bare.interface == "" && bare.name == "Ping" && bare.parameters == nil && bare.isOneway)
  }

  @Test(
    "what is no call is none",
    arguments: [
      "", "{}", "[]", "7", #"{"method":7}"#, #"{"method":""}"#, #"{"method":"a.B","more":1}"#,
      #"{"method":"a.B","parameters":[]}"#, #"{"method":"a.B","upgrade":true}"#, #"{"method":"a.B"} x"#,
      #"{"method":"a.B","method":"a.C"}"#, "{\"method\":\"a.\u{0}B\"}",
      String(repeating: "[", count: 10_000), #"{"method":"\#(String(repeating: "a", count: 20_000))"}"#,
    ])
  func noCalls(text: String) { #expect(parse(text) == nil) }

  @Test("any bytes are a call or none, and never anything else")
  func noise() {
    var random = SeededGenerator(5)
    let whole = Array(#"{"method":"a.B","parameters":{"ids":["a","b"],"x":1.5},"more":true}"#.utf8)
    for _ in 0..<20_000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        default: bytes.insert(UInt8.random(in: 32...126, using: &random), at: index)
        }
      }
      guard let call = VarlinkCall(bytes) else { continue }
      let name = call.interface.isEmpty ? call.name : "\(call.interface).\(call.name)"
      #expect(call.method == name || call.method == ".\(call.name)")
    }
  }

  @Test("messages are taken apart at their NULs, however they arrive")
  func framing() {
    let bytes = Array("one\0two\0\0thr".utf8)
    for size in 1...bytes.count {
      var inbox = VarlinkInbox()
      var messages: [String] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        inbox.fill { $0 += bytes[start..<min(start + size, bytes.count)] }
        while let message = inbox.next() { messages.append(String(decoding: message, as: UTF8.self)) }
      }
      #expect(messages == ["one", "two", ""])
    }
  }

  @Test("a message that does not end is refused before it takes more memory than one may")
  func overfull() {
    var inbox = VarlinkInbox()
    let room = inbox.room
    inbox.fill { $0 += repeatElement(UInt8(ascii: "a"), count: room) }
    #expect(inbox.isOverfull)
    inbox = VarlinkInbox()
    inbox.fill { $0 += repeatElement(UInt8(ascii: "a"), count: VarlinkLimits.message) + [0] }
    #expect(!inbox.isOverfull && inbox.room == 0)
    #expect(inbox.next()?.count == VarlinkLimits.message && inbox.room > 0)
  }

  @Test("replies are objects that end with a NUL")
  func replies() {
    func text(_ reply: VarlinkReply) -> String { String(decoding: reply.bytes, as: UTF8.self) }
    #expect(text(.parameters("{\"a\":1}", continues: false)) == "{\"parameters\":{\"a\":1}}\0")
    #expect(
      text(.parameters("{}", continues: true)) == "{\"parameters\":{},\"continues\":true}\0")
    #expect(
      text(.invalidParameter("a\"b"))
        == "{\"error\":\"org.varlink.service.InvalidParameter\",\"parameters\":{\"parameter\":\"a\\\"b\"}}\0")
  }
}
