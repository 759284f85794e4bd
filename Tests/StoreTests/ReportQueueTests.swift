import Platform
import TestSupport
import Testing

@testable import Store

@Suite("Reports that wait")
struct ReportQueueTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch("reports") }

  private func add(_ reports: Int...) throws {
    for report in reports { try ReportQueue(making: scratch.path).add(#"{"report":\#(report)}"#) }
  }

  private func waiting() throws -> [UInt64: String?] {
    let queue = try ReportQueue(making: scratch.path)
    var waiting: [UInt64: String?] = [:]
    for number in try queue.numbers() { waiting[number] = .some(try queue.report(number)) }
    return waiting
  }

  @Test("they are numbered in their order, and of more than eight the oldest go")
  func order() throws {
    #expect(try waiting().isEmpty)
    try add(7, 8, 9)
    #expect(try waiting() == [1: #"{"report":7}"#, 2: #"{"report":8}"#, 3: #"{"report":9}"#])
    for report in 10...18 { try add(report) }
    #expect(try waiting().keys.sorted() == Array(5...12))
  }

  @Test("a file that is not as it was written is no report")
  func damage() throws {
    try add(1)
    let whole = try scratch.read("reports/waiting/1")
    for end in whole.indices {
      try scratch.write("reports/waiting/1", Array(whole[..<end]))
      #expect(try waiting() == [1: nil])
      var flipped = whole
      flipped[end] ^= 1
      try scratch.write("reports/waiting/1", flipped)
      #expect(try waiting() == [1: nil])
    }
    try scratch.write("reports/waiting/1", whole + Array(repeating: 10, count: 5000))
    #expect(try waiting() == [1: nil])
  }

  @Test("what else is there goes")
  func strays() throws {
    try add(1)
    for name in ["2.new", "01", "x", "99999999999999999999"] {
      try scratch.write("reports/waiting/\(name)", "x")
    }
    try scratch.write("reports/waiting/3/file", "x")
    #expect(try waiting().keys.sorted() == [1, 3])
    try add(2)
    #expect(try waiting().keys.sorted() == [1, 3, 4])
    #expect(try ChildProcess.run("ls", ["\(scratch.path)/reports/waiting"]).output == "1\n3\n4\n")
  }

  @Test("one process at a time sends, and others can add")
  func lock() throws {
    let first = try ReportQueue(making: scratch.path)
    #expect(try first.beginSending())
    let second = try ReportQueue(making: scratch.path)
    #expect(try !second.beginSending())
    try second.add("{}")
    #expect(try first.numbers() == [1])
    withExtendedLifetime(first) {}
  }
}
