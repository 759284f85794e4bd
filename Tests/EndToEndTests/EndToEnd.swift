import Platform
import TestSupport
import Testing

/// The shipped programs, run as their users run them.
///
/// They run side by side: while one waits for its programs, others work.
@Suite("End to end", .threadForEachTest)
enum EndToEnd {}

/// Returns when `isTrue` becomes true, which takes another process a moment.
func wait(until isTrue: () throws -> Bool) throws {
  let end = Clock.milliseconds + 60_000
  while try !isTrue() {
    guard Clock.milliseconds < end else {
      Issue.record("this did not come true")
      return
    }
    Clock.sleep(milliseconds: 20)
  }
}

/// Something that these tests need and the machine does not have; the text says how to get it.
struct Unmet: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Where the programs are.
enum Programs {
  /// The static device program.
  static func tinyupdater() throws(Unmet) -> String {
    let path = environment("TINYUPDATER") ?? "\(Checkout.root)/build/tinyupdater"
    guard Checkout.isFile(path) else { throw Unmet("\(path) is missing; \"make static\" builds it") }
    return path
  }

  /// The publisher's program: an optimized one if there is one.
  static func tinypublish() throws(Unmet) -> String {
    let candidates = [
      environment("TINYPUBLISH"), optimizedPublisher, Checkout.products.map { "\($0)/tinypublish" },
    ]
    for case .some(let path) in candidates where Checkout.isFile(path) { return path }
    throw Unmet("tinypublish is missing; \"swift build -c release\" builds it")
  }

  /// The client of The Update Framework, for suites that test such clients.
  static func tufClient() throws(Unmet) -> String {
    guard let path = Checkout.products.map({ "\($0)/tuf-client" }), Checkout.isFile(path) else {
      throw Unmet("tuf-client is missing; \"swift build\" builds it")
    }
    return path
  }

  static let optimizedPublisher = "\(Checkout.root)/.build/release/tinypublish"

  /// Runs a tool of the system that has to succeed.
  @discardableResult
  static func run(_ tool: String, _ arguments: String..., timeout: UInt64 = 60) throws -> String {
    let outcome = try ChildProcess.run(tool, arguments, timeout: timeout)
    guard outcome.status == 0 else { throw Unmet("\(tool) \(arguments) failed: \(outcome.error)") }
    return outcome.output
  }

  static func exists(_ tool: String) -> Bool {
    do throws(Failure) {
      return try ChildProcess.run("sh", ["-c", "command -v \(tool)"]).status == 0
    } catch { return false }
  }
}
