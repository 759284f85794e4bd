internal import CPlatform
internal import Platform

/// Asks for a secret on a terminal, without echo.
package struct SecretPrompt {
  private let path: String

  /// - `path`: the terminal; by default the controlling terminal of the process, even if its streams are redirected.
  package init(on path: String = "/dev/tty") { self.path = path }

  /// Shows `prompt` and reads a line; nil if there is no terminal or it cannot be used.
  ///
  /// A signal restores the terminal and then ends the process.
  package func read(_ prompt: String) -> [UInt8]? {
    do throws(Failure) {
      let terminal = try File(opening: path, to: .terminal)
      return try SecretPrompt.read(prompt, on: terminal)
    } catch { return nil }
  }

  private static func read(_ prompt: String, on terminal: borrowing File) throws(Failure) -> [UInt8]? {
    let descriptor = terminal.raw
    var before = termios()
    guard tcgetattr(descriptor, &before) == 0 else { return nil }
    var silent = before
    silent.c_lflag &= ~tcflag_t(ECHO)
    HeldSignals.begin()
    defer { HeldSignals.end() }
    guard tcsetattr(descriptor, TCSAFLUSH, &silent) == 0 else { return nil }
    defer { _ = tcsetattr(descriptor, TCSAFLUSH, &before) }
    try terminal.write(prompt)
    let secret = line(descriptor)
    try terminal.write("\n")
    return secret
  }

  /// The bytes up to a line feed; nil after a signal or an error.
  private static func line(_ descriptor: CInt) -> [UInt8]? {
    var bytes: [UInt8] = []
    // A growing array would leave copies of the secret in memory.
    bytes.reserveCapacity(PublisherLimits.typedSecret)
    while bytes.count < PublisherLimits.typedSecret {
      // Not just a read: the signal may reach another thread, and then it does not end it.
      var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = poll(&wanted, 1, 100)
      if HeldSignals.hasArrived { return nil }
      if ready == 0 || (ready < 0 && tu_errno() == EINTR) { continue }
      var byte: UInt8 = 0
      let count = CPlatform.read(descriptor, &byte, 1)
      guard count >= 0 else { return nil }
      if count == 0 || byte == UInt8(ascii: "\n") { return bytes }
      bytes.append(byte)
    }
    return bytes
  }
}
