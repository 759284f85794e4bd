internal import CPlatform

/// A program that runs beside this one, in a process group of its own.
///
/// It never outlives the value: `deinit` ends the whole group, and the kernel ends the program when this process dies.
public struct ChildProgram: ~Copyable {
  private let id: pid_t
  private var ending: Ending?
  /// When its time is over, on the clock that only goes forward.
  private let end: UInt64

  /// What it may take.
  package struct Limits: Equatable {
    /// Added to its nice value: the higher, the more it gives way to others.
    package var nice: CInt = 10
    /// Bytes of private memory (`RLIMIT_DATA`).
    package var memory: UInt64
    /// Seconds of processor time, and of waiting for it.
    package var seconds: UInt64
    /// Bytes of any one file that it writes (`RLIMIT_FSIZE`).
    package var fileSize: UInt64

    package init(memory: UInt64, seconds: UInt64, fileSize: UInt64) {
      self.memory = memory
      self.seconds = seconds
      self.fileSize = fileSize
    }
  }

  /// How it ended.
  package enum Ending: Equatable {
    case exited(CInt)
    /// A signal ended it: the kernel's for a limit, or anyone's.
    case killed(signal: CInt)
    /// It was still running when its time was over, and was killed.
    case overTime
  }

  /// Starts the program at `path`, which is not looked for in `PATH`.
  ///
  /// - `settings`: variables of the environment that it gets besides this process's own.
  /// - `output`: takes its standard output and standard error; its standard input is empty.
  package init(
    starting path: String, arguments: [String], settings: [(name: String, value: String)],
    output: borrowing File, limits: Limits
  ) throws(Failure) {
    var limit = tu_child_limits()
    limit.nice = limits.nice
    limit.data = limits.memory
    limit.cpu = limits.seconds
    limit.file_size = limits.fileSize
    do throws(Errno) {
      id = try ChildProgram.start(path, arguments, settings: settings, output: output.raw, limit: &limit)
    } catch { throw Failure(error, path: path) }
    ending = nil
    end = Clock.milliseconds + min(limits.seconds, 1 << 32) * 1000
  }

  /// The process id of the program, which has been started.
  private static func start(
    _ path: String, _ arguments: [String], settings: [(name: String, value: String)], output: CInt,
    limit: inout tu_child_limits
  ) throws(Errno) -> pid_t {
    if starter >= 0 {
      do throws(Errno) {
        return try ask(for: arguments, settings: settings, output: output, limit)
      } catch {
        // An emulator of system calls (qemu) has no CLONE_PARENT, and nothing that keeps this process from a fork.
        guard error == .invalid, Confinement.measures == [.noNewPrivileges] else { throw error }
      }
    }
    return try withPointers([path] + arguments) { (arguments) throws(Errno) in
      try withPointers(environment(with: settings)) { (environment) throws(Errno) in
        try path.withPlatformString { (path) throws(Errno) in
          let id = tu_start_child(path, arguments, environment, output, &limit)
          guard id > 0 else { throw Errno.last }
          return id
        }
      }
    }
  }

  /// The socket to the process that starts programs for this one; negative: this one starts them itself.
  // Set once by the only thread.
  nonisolated(unsafe) private static var starter: CInt = -1

  /// Has a second process start what this one wants to run from now on, because this one is about to be confined.
  ///
  /// That process starts nothing but `startable`, whatever it is asked. Where there cannot be one, nothing can be
  /// started any more.
  static func prepare(_ startable: (path: String, argument: String, variable: String)) {
    startable.path.withPlatformString { path in
      startable.argument.withPlatformString { argument in
        startable.variable.withPlatformString { variable in
          var only = tu_startable(path: path, argument: argument, variable: variable)
          starter = tu_fork_starter(&only)
        }
      }
    }
  }

  private static func ask(
    for arguments: [String], settings: [(name: String, value: String)], output: CInt,
    _ limits: tu_child_limits
  ) throws(Errno) -> pid_t {
    var texts: [CChar] = []
    for text in arguments + settings.map({ "\($0.name)=\($0.value)" }) {
      text.withPlatformString { texts += UnsafeBufferPointer(start: $0, count: strlen($0) + 1) }
    }
    var request = tu_start_request(
      signal: 0, limits: limits, arguments: UInt32(clamping: arguments.count),
      variables: UInt32(clamping: settings.count),
      bytes: UInt32(clamping: texts.count))
    let id = texts.withUnsafeBufferPointer { tu_ask_starter(starter, &request, $0.baseAddress, output) }
    guard id > 0 else { throw Errno.last }
    return id
  }

  deinit {
    // Not a method of `self`, of which nothing may change any more.
    if ending == nil { _ = ChildProgram.end(id) }
  }

  /// How it has ended; nil if it still runs.
  ///
  /// Does not wait. One that has used up its time is killed, which takes up to half a second.
  package mutating func poll() -> Ending? {
    if ending == nil { ending = ChildProgram.reap(id) }
    if ending == nil, Clock.milliseconds > end {
      _ = ChildProgram.end(id)
      ending = .overTime
    }
    return ending
  }

  /// Waits until it has ended.
  package mutating func wait() -> Ending {
    while true {
      if let ending = poll() { return ending }
      Clock.sleep(milliseconds: 20)
    }
  }

  /// Ends the program and all that it has started: asks, and half a second later insists.
  package mutating func kill() {
    if ending == nil { ending = ChildProgram.end(id) }
  }

  /// The kernel's name of a signal, such as "Segmentation fault".
  package static func name(ofSignal number: CInt) -> String { String(platformString: tu_signal_name(number)) }

  /// It wrote more to a file than it may.
  package static var fileSizeSignal: CInt { SIGXFSZ }
  /// It used up its processor time.
  package static var processorTimeSignal: CInt { SIGXCPU }

  private static func end(_ id: pid_t) -> Ending? {
    signal(id, SIGTERM)
    // A process that cancels an operation waits for a second at most.
    let end = Clock.milliseconds + 500
    var ending = reap(id)
    while ending == nil, Clock.milliseconds < end {
      Clock.sleep(milliseconds: 10)
      ending = reap(id)
    }
    if ending == nil { signal(id, SIGKILL) }
    while ending == nil {
      ending = reap(id)
      if ending == nil { Clock.sleep(milliseconds: 10) }
    }
    return ending
  }

  /// Takes the status of a child that has ended; nil if it still runs.
  private static func reap(_ id: pid_t) -> Ending? {
    let hasEnded = tu_has_ended(id)
    if hasEnded == 0 || (hasEnded < 0 && Errno.last == .interrupted) { return nil }
    // What it has left running in its group, whose number nobody else gets before the status is taken.
    if hasEnded > 0 { signal(id, SIGKILL) }
    var status: CInt = 0
    // Someone else may have reaped it: how it ended is lost then, and nothing may count as done.
    guard hasEnded > 0, waitpid(id, &status, WNOHANG) == id else { return .killed(signal: 0) }
    let number = tu_end_signal(status)
    if number == SIGALRM { return .overTime }
    return number == 0 ? .exited(tu_exit_code(status)) : .killed(signal: number)
  }

  /// Sends a signal to the program and all that it has started in its group.
  ///
  /// A confined process may not. A starter that does not answer is none any more.
  private static func signal(_ id: pid_t, _ number: CInt) {
    if starter >= 0, tu_ask_to_signal(starter, number) == 0 { return }
    _ = CPlatform.kill(-id, number)
  }

  /// This process's environment, with `settings` in the place of variables of the same names.
  private static func environment(with settings: [(name: String, value: String)]) -> [String] {
    var variables: [String] = []
    if var next = tu_environment() {
      while let text = next.pointee {
        let variable = String(platformString: text)
        let isReplaced = settings.contains { variable.utf8.starts(with: "\($0.name)=".utf8) }
        if !isReplaced { variables.append(variable) }
        next += 1
      }
    }
    for (name, value) in settings { variables.append("\(name)=\(value)") }
    return variables
  }

  /// Calls `body` with the texts as C has them: pointers, the last one nil.
  static func withPointers<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) throws(Errno) -> Result
  ) throws(Errno) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = []
    defer { for pointer in pointers { free(pointer) } }
    for text in texts {
      guard let copy = text.withPlatformString({ strdup($0) }) else { throw .outOfMemory }
      pointers.append(copy)
    }
    pointers.append(nil)
    return try pointers.withUnsafeBufferPointer { (buffer) throws(Errno) in
      guard let first = buffer.baseAddress else { throw Errno.outOfMemory }
      return try body(first)
    }
  }
}
