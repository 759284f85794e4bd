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
  if argc > 1, String(platformString: argv[1]).utf8.elementsEqual("tuf".utf8) {
    return TUFCommand.run(count: argc - 1, values: argv + 1)
  }
  if argc > 1, String(platformString: argv[1]).utf8.elementsEqual("patch".utf8) {
    return PatchCommand.run(count: argc - 1, values: argv + 1)
  }
  guard let line = Arguments(count: argc, values: argv, accepting: Usage.options) else {
    Terminal.writeLine("tinyupdater --help shows what there is", to: .error)
    return ExitStatus.usage.rawValue
  }
  if line.has("help") || line.operands.first == "help" {
    Terminal.write(Usage.text)
    return ExitStatus.success.rawValue
  }
  if line.has("version") {
    Terminal.writeLine("tinyupdater \(productVersion)")
    return ExitStatus.success.rawValue
  }
  return Invocation(line).run().rawValue
}

/// What is said when memory is refused, in the code of `overBudget`; nothing can be composed by then.
private let outOfMemory: StaticString =
  "tinyupdater: out of memory; raise memory_budget, or the limit of the calling process (ulimit -d, ulimit -v), and run the command again\n"
