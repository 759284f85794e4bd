internal import Platform
internal import Updater

/// `tinyupdater patch`: applies a bare patch, for scripts and for measuring.
///
/// It has options of its own, reads no configuration and touches no store.
struct PatchCommand {
  private static var options: [Arguments.Option] {
    [.init("memory", takesValue: true), .init("quiet", "q"), .init("help", "h")]
  }

  private static var usage: String {
    """
    usage: tinyupdater patch [--memory BYTES] [--quiet] OLD PATCH NEW

    Makes the file NEW from OLD and PATCH, as tinypublish diff makes it, or a payload of a repository; \"-\" as PATCH
    is standard input. NEW gets its name when it is complete and right. A packed component takes /dev/null as OLD.
    No signature is looked at: whether PATCH comes from where it should is the caller's business.

        --memory BYTES   what the process may use (default 8M)
    -q, --quiet          no progress
    -h, --help           this text

    Exit: 0 done, 21 PATCH is damaged or for another OLD, 22 no space, 23 over the memory, 24 a file could not be read
    or written, 26 cancelled, 64 usage.

    """
  }

  /// Runs the command whose operands are behind the word `patch`.
  static func run(count: CInt, values: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> CInt {
    guard let line = Arguments(count: count, values: values, accepting: options) else {
      Terminal.writeLine("tinyupdater patch --help shows what there is", to: .error)
      return ExitStatus.usage.rawValue
    }
    if line.has("help") {
      Terminal.write(usage)
      return ExitStatus.success.rawValue
    }
    guard line.operands.count == 3, let memory = memory(line) else {
      Terminal.write(usage, to: .error)
      return ExitStatus.usage.rawValue
    }
    do throws(UpdateError) {
      var configuration = Configuration()
      configuration.memoryBudget = memory
      // What the patch needs beside that is told by its name.
      try configuration.enforceMemoryBudget(atLeast: 0)
      let patch = BarePatch(
        old: line.operands[0], patch: line.operands[1], new: line.operands[2],
        memory: configuration.memoryBudget - min(configuration.memoryBudget, Limits.ownPatchMemory))
      let display = Display(isShown: !line.has("quiet") && Terminal.isInteractive(.error))
      defer { display.erase() }
      try patch.apply { display.show($0) }
      return ExitStatus.success.rawValue
    } catch {
      Terminal.writeLine("tinyupdater: \(error.sentence)", to: .error)
      return ExitStatus(error).rawValue
    }
  }

  /// Nil if it is no number of bytes.
  private static func memory(_ line: Arguments) -> UInt64? {
    guard let text = line.value(of: "memory") else { return Configuration().memoryBudget }
    return ByteCount(text)?.bytes
  }

  /// How far it is, a few times a second.
  private final class Display {
    private let isShown: Bool
    private var shown = Clock.milliseconds

    init(isShown: Bool) { self.isShown = isShown }

    func show(_ written: UInt64) {
      let now = Clock.milliseconds
      guard isShown, now - shown >= 100 else { return }
      shown = now
      ProgressBar.draw("\(ByteCount(written).text) written", to: .error)
    }

    func erase() { if isShown { ProgressBar.erase(from: .error) } }
  }
}
