internal import CPlatform

/// One end of a connection between two processes of this program: messages that stay whole, each with the output of another
/// program or without.
public final class ProcessChannel {
  /// For `Poll`.
  package let raw: CInt

  private init(_ raw: CInt) { self.raw = raw }

  deinit { _ = close(raw) }

  /// Forks this process, and gives parent and child an end each; the kernel ends the child with its parent.
  ///
  /// Locks and connections are shared by both. Nothing that the parent does with its end waits.
  ///
  /// - Returns: no child in the child.
  package static func fork() throws(Errno) -> (channel: ProcessChannel, child: ForkedProcess?) {
    let (own, other) = try pair()
    tu_keep_to_itself(own.raw)
    let id = tu_fork_beside()
    guard id >= 0 else { throw Errno.last }
    return id == 0 ? (other, nil) : (own, ForkedProcess(id: id))
  }

  /// Both ends of a new connection.
  package static func pair() throws(Errno) -> (ProcessChannel, ProcessChannel) {
    let ends = try DescriptorPair { tu_pair($0) }
    return (ProcessChannel(ends.first), ProcessChannel(ends.second))
  }

  /// Ends the connection for both.
  package func end() { _ = shutdown(raw, CInt(SHUT_RDWR)) }

  /// Sends a message; false if the other end is gone or takes nothing, or the message is too long.
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
