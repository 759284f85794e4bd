internal import CPlatform

/// The two standard output streams.
package enum Terminal {
  /// One of the two streams.
  package enum Stream: CInt { case output = 1, error = 2 }

  /// Writes `text`; errors are ignored, because output must never stop an update.
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

  /// Writes `text` and a line feed; control characters are replaced.
  package static func writeLine(_ text: String, to stream: Stream = .output) {
    write(text.printableLines + "\n", to: stream)
  }

  /// The stream is a terminal.
  package static func isInteractive(_ stream: Stream) -> Bool { isatty(stream.rawValue) == 1 }

  /// The reader of the stream is gone: the other end of a pipe, or the terminal.
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
