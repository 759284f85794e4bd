import Platform
import Testing

@testable import Transport

@Suite("Response")
struct ResponseTests {
  @Test(
    "a content range is taken by its grammar and not otherwise",
    arguments: [
      ("bytes 0-0/1", 0...0, 1), ("bytes 100-199/200", 100...199, 200), ("bytes 5-6/*", 5...6, nil),
      ("bytes */200", nil, 200),
    ] as [(String, ClosedRange<UInt64>?, UInt64?)])
  func range(text: String, part: ClosedRange<UInt64>?, total: UInt64?) throws {
    let range = try #require(ContentRange(text))
    #expect(range.part == part && range.total == total)
  }

  @Test(
    "anything else is not a content range",
    arguments: [
      "", "bytes", "bytes 1-2", "bytes 2-1/5", "bytes 0-5/5", "bytes -1/5", "bytes 1-/5", "bytes a-b/5",
      "bytes 0-1/x", "items 0-1/5", "bytes 0-1/5/6", "bytes=0-1/5", "bytes 0-1/18446744073709551616",
    ])
  func noRange(text: String) { #expect(ContentRange(text) == nil) }

  private func head(_ lines: [String]) -> ResponseHead {
    var head = ResponseHead()
    for line in lines { head.take(line) }
    return head
  }

  @Test("names are read in any case, values without blanks around them")
  func headers() {
    let head = head(["HTTP/1.1 206 X", "CONTENT-RANGE:bytes 1-2/3", "eTaG: \t\"x\" ", "Retry-After: 7"])
    #expect(head.status == 206)
    #expect(head.range?.part == 1...2)
    #expect(head.validator == "\"x\"")
    #expect(head.retryAfter == 7)
  }

  @Test("a new status line forgets what came before, as after a redirect")
  func redirect() {
    let head = head(["HTTP/1.1 302 X", "ETag: \"old\"", "Retry-After: 9", "", "HTTP/1.1 200 OK"])
    #expect(head.status == 200 && head.validator == nil && head.retryAfter == nil)
  }

  @Test("the entity tag takes precedence over the date, in any order; a weak one does not count")
  func validator() {
    #expect(head(["Last-Modified: d", "ETag: \"x\""]).validator == "\"x\"")
    #expect(head(["ETag: \"x\"", "Last-Modified: d"]).validator == "\"x\"")
    #expect(head(["ETag: W/\"x\"", "Last-Modified: d"]).validator == "d")
    #expect(head(["ETag: W/\"x\""]).validator == nil)
  }

  @Test(
    "nonsense is not a status",
    arguments: ["HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 abc", "HTTP/1.1 -1", "XTTP/1.1 200"])
  func status(line: String) { #expect(head([line]).status == 0) }

  @Test(
    "a date, a sign or too many digits are not seconds",
    arguments: ["Fri, 31 Dec 1999 23:59:59 GMT", "-1", "1.5", "", "99999999999999999999"])
  func retryAfter(value: String) { #expect(head(["Retry-After: \(value)"]).retryAfter == nil) }
}
