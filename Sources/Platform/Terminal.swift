internal import CPlatform

/// The two standard output streams.
package enum Terminal {
  /// Which of the two.
  package enum Stream: CInt { case output = 1, error = 2 }

  /// Writes `text`; a closed or full stream loses it, which must never stop an update.
  package static func write(_ text: String, to stream: Stream = .output) {
    let bytes = [UInt8](text.utf8)
    bytes.withUnsafeBufferPointer { bytes in
      var done = 0
      while done < bytes.count {
        let count = CPlatform.write(
          stream.rawValue, bytes.baseAddress?.advanced(by: done), bytes.count - done)
        if count < 0 && Errno.last == .interrupted { continue }
        if count <= 0 { return }
        done += count
      }
    }
  }

  /// Writes `text` and a line feed; what would steer the terminal is replaced, wherever it came from.
  package static func writeLine(_ text: String, to stream: Stream = .output) {
    write(text.printableLines + "\n", to: stream)
  }

  /// A person is looking at the stream.
  package static func isInteractive(_ stream: Stream) -> Bool { isatty(stream.rawValue) == 1 }

  /// Nobody will ever read what is written: the reader of the pipe has gone, or the terminal.
  package static func isClosed(_ stream: Stream) -> Bool { isClosed(stream.rawValue) }

  static func isClosed(_ descriptor: CInt) -> Bool {
    var wanted = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&wanted, 1, 0) > 0 && CInt(wanted.revents) & (POLLERR | POLLHUP | POLLNVAL) != 0
  }

  /// The width of the terminal in columns; 80 where it is not known.
  package static func columns(_ stream: Stream) -> Int {
    let columns = Int(tu_terminal_columns(stream.rawValue))
    return columns > 0 ? columns : 80
  }
}
