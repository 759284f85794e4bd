internal import CMemory
internal import Platform
internal import Updater

/// The process entry point, in both builds: SwiftPM makes this symbol `main`, and so does `cross/start.c`.
///
/// It returns and never calls `exit`, which would skip every `deinit`.
@c(TinyUpdater_main)
public func entry(argc: CInt, argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> CInt {
  tu_when_out_of_memory(outOfMemory.utf8Start, ExitStatus.overBudget.rawValue)
  ThisProcess.openStandardStreams()
  StopSignal.listen()
  let stack = ThisProcess.raiseStack(to: UpdateLimits.stack)
  guard stack >= UpdateLimits.minimumStack else {
    Terminal.writeLine(
      "tinyupdater: only \(stack >> 10) KiB of stack may be used, and \(UpdateLimits.minimumStack >> 10) are needed; raise "
        + "the limit of the calling process (ulimit -s)", to: .error)
    return ExitStatus.overBudget.rawValue
  }
  return Program.run(count: argc, values: argv)
}

/// A signal has asked this process to end: `cross/names.c` asks while it waits for a name server.
@c(TinyUpdater_isStopping)
public func isStopping() -> CInt { StopSignal.isRaised ? 1 : 0 }

/// Printed when memory is refused, with the exit status `overBudget`; no text can be composed then.
private let outOfMemory: StaticString =
  "tinyupdater: out of memory; raise memory_budget, or the limit of the calling process (ulimit -d, ulimit -v), and run the command again\n"
