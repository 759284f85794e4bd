internal import CPlatform

/// This program once more, with another command line, which writes to this process.
///
/// Unlike a `ChildProgram` it is not limited, because it limits itself, and it may go on when this value ends.
public final class WorkerProgram {
  /// Where its standard output comes from, for `Poll`.
  package let raw: CInt
  private let id: pid_t
  private var hasEnded = false

  /// Starts it; its standard error is that of this process, and its standard input is empty.
  package init(_ arguments: [String]) throws(Failure) {
    var ends: (CInt, CInt) = (-1, -1)
    let path = "/proc/self/exe"
    let made = withUnsafeMutableBytes(of: &ends) { bytes in
      bytes.withMemoryRebound(to: CInt.self) { pipe2($0.baseAddress, O_CLOEXEC) }
    }
    guard made == 0 else { throw Failure(Errno.last, path: path) }
    let (reading, writing) = ends
    tu_keep_to_itself(reading)
    defer { _ = close(writing) }
    do throws(Errno) {
      id = try path.withPlatformString { (path) throws(Errno) in
        try ChildProgram.withPointers(["tinyupdater"] + arguments) { (arguments) throws(Errno) in
          let id = tu_start_child(path, arguments, tu_environment(), writing, nil)
          guard id > 0 else { throw Errno.last }
          return id
        }
      }
    } catch {
      _ = close(reading)
      raw = -1
      id = 0
      throw Failure(error, path: path)
    }
    raw = reading
  }

  deinit { if raw >= 0 { _ = close(raw) } }

  /// Reads what it has written, at most `limit` bytes, to the end of `bytes`.
  package func receive(into bytes: inout [UInt8], upTo limit: Int) -> Transfer {
    Transfer.read(raw, into: &bytes, upTo: limit)
  }

  /// Asks it to end: as Ctrl-C does, which cancels an operation, or as a shutdown does.
  package func stop() { if !hasEnded { _ = kill(id, SIGTERM) } }

  /// Whether it has ended; takes its status then, so that the kernel forgets it.
  package func reap() -> Bool {
    if !hasEnded {
      var status: CInt = 0
      let found = waitpid(id, &status, WNOHANG)
      hasEnded = found == id || found < 0 && Errno.last != .interrupted
    }
    return hasEnded
  }
}
