import Foundation
import Platform
import TestSupport
import Testing

/// A program that calls the service; it waits for replies, but not for ever.
final class VarlinkClient {
  private let connection: LocalConnection
  private var bytes: [UInt8] = []

  init(_ path: String) throws {
    let end = Clock.milliseconds + 10_000
    while true {
      do throws(Failure) {
        connection = try LocalConnection.connect(to: path)
        return
      } catch {
        guard Clock.milliseconds < end else { throw error }
        Clock.sleep(milliseconds: 20)
      }
    }
  }

  struct Reply {
    let parameters: [String: Any]
    let error: String?
    let continues: Bool

    var events: [[String: Any]] { parameters["events"] as? [[String: Any]] ?? [] }
  }

  func send(_ text: String) { _ = connection.send(Array(text.utf8)[...]) }

  func call(_ method: String, _ parameters: [String: Any] = [:], more: Bool = false) throws {
    var call: [String: Any] = ["method": "org.tinyupdater.Maps.\(method)", "parameters": parameters]
    if more { call["more"] = true }
    send(String(decoding: try JSONSerialization.data(withJSONObject: call), as: UTF8.self) + "\0")
  }

  /// The next reply; nil if the service has closed the connection.
  func next() throws -> Reply? {
    let end = Clock.milliseconds + 60_000
    while true {
      if let nul = bytes.firstIndex(of: 0) {
        let object = try JSONSerialization.jsonObject(with: Data(bytes[..<nul])) as? [String: Any] ?? [:]
        bytes.removeFirst(nul + 1)
        return Reply(
          parameters: object["parameters"] as? [String: Any] ?? [:], error: object["error"] as? String,
          continues: object["continues"] as? Bool ?? false)
      }
      switch connection.receive(into: &bytes, upTo: 1 << 16) {
      case .bytes: break
      case .closed: return nil
      case .later:
        try #require(Clock.milliseconds < end, "no reply")
        Clock.sleep(milliseconds: 5)
      }
    }
  }

  /// Calls a method, and returns all replies.
  func replies(
    _ method: String, _ parameters: [String: Any] = [:], more: Bool = false
  ) throws -> [Reply] {
    try call(method, parameters, more: more)
    var replies: [Reply] = []
    repeat { replies.append(try #require(try next())) } while replies[replies.count - 1].continues
    return replies
  }

  /// All events that a method replies with.
  func events(_ method: String, _ parameters: [String: Any] = [:], more: Bool = false) throws -> [[String:
    Any]]
  {
    try replies(method, parameters, more: more).flatMap(\.events)
  }
}
