import Foundation
import Glibc
import Platform
import Synchronization

/// An HTTP server that answers each request with the next reply of its script, right or wrong.
///
/// One connection at a time, on the loopback interface. The last reply is repeated for ever.
final class ScriptedServer: Sendable {
  /// What is sent for one request.
  struct Reply: Sendable, CustomStringConvertible {
    var bytes: [UInt8]
    /// What happens when the bytes are sent.
    var ending = Ending.keep
    /// What is sent for ever where the ending is endless, and the milliseconds before each of it.
    var unit = [UInt8](repeating: 0x2e, count: 64 << 10)
    var pause: UInt32 = 0

    enum Ending { case keep, close, endless }

    /// The status line.
    var description: String { String(decoding: bytes.prefix { $0 != 13 }, as: UTF8.self) }
  }

  /// What was asked.
  struct Question: Sendable, Equatable {
    let path: String
    let range: String?
    /// Counted from 0.
    let connection: Int
  }

  private struct State {
    var questions: [Question] = []
    var connection: CInt = -1
    var connections = 0
    var isStopped = false
  }

  private let listener: CInt
  let port: UInt16
  private let replies: [Reply]
  private let state = Mutex(State())

  var questions: [Question] { state.withLock { $0.questions } }
  var ranges: [String?] { questions.map(\.range) }

  convenience init(_ replies: Reply...) throws { try self.init(replies) }

  init(_ replies: [Reply]) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        guard bind(listener, pointer, size) == 0, listen(listener, 16) == 0 else { return CInt(-1) }
        return getsockname(listener, pointer, &size)
      }
    }
    guard result == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    self.listener = listener
    port = UInt16(bigEndian: address.sin_port)
    self.replies = replies
  }

  /// Serves for as long as `body` runs.
  func serve<Result>(_ body: (String) throws -> Result) rethrows -> Result {
    let finished = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      self.acceptAll()
      finished.signal()
    }
    defer {
      state.withLock { state in
        state.isStopped = true
        if state.connection >= 0 { shutdown(state.connection, Int32(SHUT_RDWR)) }
      }
      shutdown(listener, Int32(SHUT_RDWR))
      finished.wait()
      close(listener)
    }
    return try body("http://127.0.0.1:\(port)")
  }

  private func acceptAll() {
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { return }
      let number = state.withLock { state in
        state.connection = state.isStopped ? -1 : connection
        state.connections += 1
        return state.isStopped ? -1 : state.connections - 1
      }
      while number >= 0, let head = readHead(connection), answer(head, on: connection, number: number) {}
      state.withLock { $0.connection = -1 }
      close(connection)
    }
  }

  /// True if the connection stays.
  private func answer(_ head: [String], on connection: CInt, number: Int) -> Bool {
    let words = head[0].split(separator: " ")
    let range = head.first { $0.lowercased().hasPrefix("range:") }?.dropFirst(6)
    let question = Question(
      path: words.count > 1 ? String(words[1]) : "",
      range: range.map { $0.trimmingCharacters(in: .whitespaces) }, connection: number)
    let index = state.withLock { state in
      state.questions.append(question)
      return min(state.questions.count, replies.count) - 1
    }
    let reply = replies[index]
    var isSent = send(reply.bytes, on: connection)
    while isSent && reply.ending == .endless {
      usleep(reply.pause * 1000)
      isSent = send(reply.unit, on: connection)
    }
    return isSent && reply.ending == .keep
  }

  private func send(_ bytes: [UInt8], on connection: CInt) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.send(
          connection, buffer.baseAddress?.advanced(by: done), bytes.count - done, Int32(MSG_NOSIGNAL)
        )
      }
      if count <= 0 { return false }
      done += count
    }
    return true
  }

  private func readHead(_ connection: CInt) -> [String]? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard recv(connection, &byte, 1, 0) == 1, bytes.count < 64 << 10 else { return nil }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
  }
}

extension ScriptedServer.Reply {
  /// A status line, header lines and a body, whatever they say.
  static func raw(_ lines: [String], body: [UInt8] = [], ending: Ending = .keep) -> Self {
    Self(bytes: Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body, ending: ending)
  }

  static func status(_ status: Int, headers: [String] = []) -> Self {
    raw(["HTTP/1.1 \(status) Reason", "Content-Length: 0"] + headers)
  }

  static func ok(_ body: [UInt8], headers: [String] = []) -> Self {
    raw(["HTTP/1.1 200 OK", "Content-Length: \(body.count)"] + headers, body: body)
  }

  /// The same in one chunk: nothing says before its end how long it is.
  static func chunked(_ body: [UInt8], headers: [String] = []) -> Self {
    let chunks = Array("\(String(body.count, radix: 16))\r\n".utf8) + body + Array("\r\n0\r\n\r\n".utf8)
    return raw(["HTTP/1.1 200 OK", "Transfer-Encoding: chunked"] + headers, body: chunks)
  }

  /// The part of `body` from `start`, as it should be.
  static func part(_ body: [UInt8], from start: Int, headers: [String] = []) -> Self {
    part(Array(body[start...]), range: "bytes \(start)-\(body.count - 1)/\(body.count)", headers: headers)
  }

  static func part(_ bytes: [UInt8], range: String, headers: [String] = []) -> Self {
    let lines = ["HTTP/1.1 206 Partial Content", "Content-Length: \(bytes.count)", "Content-Range: \(range)"]
    return raw(lines + headers, body: bytes)
  }

  /// The same, but the connection breaks when `count` bytes of the body are sent.
  func cut(_ count: Int, of body: Int) -> Self {
    Self(bytes: Array(bytes.dropLast(body - count)), ending: .close)
  }

  /// Without the blank line that ends the head.
  var withoutBlankLine: Self {
    var reply = self
    reply.bytes.removeLast(2)
    return reply
  }

  static let silence = Self(bytes: [], ending: .close)
}
