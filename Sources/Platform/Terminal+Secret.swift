internal import CPlatform

extension [UInt8] {
  /// Overwrites a secret with zeros, so that it does not stay in memory that is given back.
  package mutating func wipe() {
    withUnsafeMutableBytes { bytes in
      if let base = bytes.baseAddress { explicit_bzero(base, bytes.count) }
    }
  }
}

/// What a person types and nobody may see.
extension Terminal {
  /// Bytes of a secret; what a terminal takes in one line.
  private static var maximumSecret: Int { 4096 }

  /// Asks on the terminal that the process belongs to, whatever its streams are; nil if there is none.
  ///
  /// Ctrl-C ends the process, and the terminal shows again what is typed.
  package static func readSecret(_ prompt: String, on path: String = "/dev/tty") -> [UInt8]? {
    do throws(FileError) {
      let terminal = try File(opening: path, .terminal)
      return try readSecret(prompt, on: terminal)
    } catch { return nil }
  }

  private static func readSecret(
    _ prompt: String, on terminal: borrowing File
  ) throws(FileError) -> [UInt8]? {
    let descriptor = terminal.raw
    var before = termios()
    guard tcgetattr(descriptor, &before) == 0 else { return nil }
    var silent = before
    silent.c_lflag &= ~tcflag_t(ECHO)
    Interruption.listen()
    defer { Interruption.stopListening() }
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
    bytes.reserveCapacity(maximumSecret)
    while bytes.count < maximumSecret {
      // Not just a read: the signal may reach another thread, and then it does not end it.
      var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = poll(&wanted, 1, 100)
      if Interruption.isRequested { return nil }
      if ready == 0 || (ready < 0 && Errno.last == .interrupted) { continue }
      var byte: UInt8 = 0
      let count = CPlatform.read(descriptor, &byte, 1)
      guard count >= 0 else { return nil }
      if count == 0 || byte == UInt8(ascii: "\n") { return bytes }
      bytes.append(byte)
    }
    return bytes
  }
}
