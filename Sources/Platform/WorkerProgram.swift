internal import CPlatform

/// The program `tinyupdater` with a command line, which writes to this process or to one that its output is given to.
///
/// Unlike a `ChildProgram` it is not limited, because it limits itself, and it may go on when this value ends.
public final class WorkerProgram {
  private let id: pid_t
  private var hasEnded = false

  private init(_ id: pid_t) { self.id = id }

  /// Starts it; its standard error is that of this process, and its standard input is empty.
  package static func start(
    _ arguments: [String]
  ) throws(Failure) -> (program: WorkerProgram, output: WorkerOutput) {
    let (output, id) = try WorkerOutput.start("/proc/self/exe", arguments) { path, arguments, output in
      tu_start_child(path, arguments, tu_environment(), output, nil)
    }
    return (WorkerProgram(id), output)
  }

  /// Asks it to end as a shutdown does: an operation stays in the queue.
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

/// What a program writes to its standard output.
public final class WorkerOutput {
  /// For `Poll`.
  package let raw: CInt

  init(_ raw: CInt) { self.raw = raw }

  deinit { _ = close(raw) }

  /// Starts the program at `path` as nobody's child: it cannot be stopped, and its end is that of its output.
  ///
  /// What it writes to standard error is dropped: the caller's may be a terminal that something else fills.
  package static func startUnattended(_ path: String, _ arguments: [String]) throws(Failure) -> WorkerOutput {
    let (output, _) = try start(path, arguments) { path, arguments, output in
      tu_start_unattended(path, arguments, tu_environment(), output)
    }
    return output
  }

  /// Returns its output, and what `start` does.
  fileprivate static func start(
    _ path: String, _ arguments: [String],
    _ start: (UnsafePointer<CChar>, UnsafePointer<UnsafeMutablePointer<CChar>?>?, CInt) -> CInt
  ) throws(Failure) -> (WorkerOutput, CInt) {
    let ends: DescriptorPair
    do throws(Errno) { ends = try DescriptorPair { pipe2($0, O_CLOEXEC) } } catch {
      throw Failure(error, path: path)
    }
    let output = WorkerOutput(ends.first)
    tu_keep_to_itself(output.raw)
    defer { _ = close(ends.second) }
    do throws(Errno) {
      let id = try path.withPlatformString { (path) throws(Errno) in
        try ChildProgram.withPointers(["tinyupdater"] + arguments) { (arguments) throws(Errno) in
          let id = start(path, arguments, ends.second)
          guard id >= 0 else { throw Errno.last }
          return id
        }
      }
      return (output, id)
    } catch { throw Failure(error, path: path) }
  }

  /// Reads what the program has written, at most `limit` bytes, to the end of `bytes`.
  package func receive(into bytes: inout [UInt8], upTo limit: Int) -> Transfer {
    Transfer.read(raw, into: &bytes, upTo: limit)
  }

  /// The same, with a NUL in the place of each line feed.
  package func receiveLines(into bytes: inout [UInt8], upTo limit: Int) -> Transfer {
    let first = bytes.count
    let transfer = receive(into: &bytes, upTo: limit)
    for index in first..<bytes.count where bytes[index] == 10 { bytes[index] = 0 }
    return transfer
  }
}
