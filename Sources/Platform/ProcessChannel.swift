internal import CPlatform

/// One end of a connection between two processes of this program: messages that stay whole, each with the output of another
/// program or without.
public final class ProcessChannel {
  /// For `Poll`.
  package let raw: CInt

  private init(_ raw: CInt) { self.raw = raw }

  deinit { _ = close(raw) }

  /// Continues as two processes, each of which has one end; the new one ends with this one.
  ///
  /// Locks and connections are shared by both.
  ///
  /// - Returns: in the new process, no id.
  package static func fork() throws(Errno) -> (channel: ProcessChannel, child: ForkedProcess?) {
    var ends: (CInt, CInt) = (-1, -1)
    let made = withUnsafeMutableBytes(of: &ends) { bytes in
      bytes.withMemoryRebound(to: CInt.self) { tu_pair($0.baseAddress) }
    }
    guard made == 0 else { throw Errno.last }
    let (own, other) = (ProcessChannel(ends.0), ProcessChannel(ends.1))
    let id = tu_fork_beside()
    guard id >= 0 else { throw Errno.last }
    return id == 0 ? (other, nil) : (own, ForkedProcess(id: id))
  }

  /// Ends the connection for both.
  package func end() { _ = shutdown(raw, CInt(SHUT_RDWR)) }

  /// Sends a message; false if the other end is gone, or the message is too long.
  package func send(_ bytes: [UInt8], with output: WorkerOutput? = nil) -> Bool {
    bytes.withUnsafeBytes { tu_send_message(raw, $0.baseAddress, $0.count, output?.raw ?? -1) } == 0
  }

  /// Waits for a message; nil if the other end is gone.
  ///
  /// - `limit`: the most bytes of a message; a longer one counts as the end.
  package func receive(upTo limit: Int) -> (bytes: [UInt8], output: WorkerOutput?)? {
    var bytes = [UInt8](repeating: 0, count: limit)
    var attached: CInt = -1
    let count = bytes.withUnsafeMutableBytes { tu_receive_message(raw, $0.baseAddress, limit, &attached) }
    let output = attached >= 0 ? WorkerOutput(attached) : nil
    guard count > 0 else { return nil }
    bytes.removeLast(limit - count)
    return (bytes, output)
  }
}

/// A process that this one has forked.
package struct ForkedProcess {
  fileprivate let id: pid_t

  /// Waits until it has ended; whether that was in order.
  package func wait() -> Bool {
    var status: CInt = 0
    while waitpid(id, &status, 0) != id {
      guard Errno.last == .interrupted else { return false }
    }
    return tu_exit_code(status) == 0
  }
}
