internal import Platform
internal import Updater

/// `patch`: applies a single patch file.
///
/// It reads no configuration and uses no store.
struct PatchCommand {
  static var description: CommandDescription {
    .init(
      "patch", operands: .patchFiles, scope: .standalone, options: [.memory, .quiet],
      summary: "apply a single patch file, without a store",
      details: """
        Makes the file NEW from OLD and PATCH: a patch of tinypublish diff, or a payload of a repository. "-" as PATCH
        is standard input, "-" as NEW standard output. NEW gets its name, or is written there, when it is complete and
        verified; with "-", TMPDIR needs room for it. A packed component takes /dev/null as OLD. No signature is
        checked: the caller decides whether to trust PATCH.

        Exit: 0 done, 21 PATCH is damaged or is for another OLD, 22 not enough space, 23 over the memory limit,
        24 a file cannot be read or written, 26 cancelled, 64 usage.
        """)
  }

  private let files: [String]
  private let memory: UInt64
  private let isQuiet: Bool

  init(_ invocation: Invocation) throws(UsageError) {
    guard invocation.operands.count == 3 else {
      throw invocation.error("patch needs three files, \(invocation.command.description.operands.usage)")
    }
    files = invocation.operands
    isQuiet = invocation.has(.quiet)
    guard let text = invocation.value(of: .memory) else {
      memory = Configuration().memoryBudget
      return
    }
    guard let count = ByteCount(text) else {
      throw invocation.error("--memory takes a number of bytes, such as 8M")
    }
    memory = count.bytes
  }

  /// Returns the exit status of the process.
  func run() -> CInt {
    do throws(Failure) {
      var configuration = Configuration()
      configuration.memoryBudget = memory
      // The smallest budget depends on the patch, which says what it needs.
      try configuration.enforceMemoryBudget(atLeast: 0)
      let budget = configuration.memoryBudget
      let patch: BarePatch
      do throws(OperandError) {
        patch = try BarePatch(
          old: files[0], patch: files[1], new: files[2],
          memory: budget - min(budget, UpdateLimits.ownPatchMemory))
      } catch { return PatchCommand.refuse(error) }
      let display = Display(isShown: !isQuiet && Terminal.isInteractive(.error))
      defer { display.erase() }
      try patch.apply { display.show($0) }
      return ExitStatus.success.rawValue
    } catch {
      return PatchCommand.fail(error)
    }
  }

  private static func refuse(_ error: OperandError) -> CInt {
    if case .file(let failure) = error { return fail(failure) }
    Terminal.writeLine("tinyupdater: \(error.sentence)", to: .error)
    return error.isOfUsage ? ExitStatus.usage.rawValue : ExitStatus.storage.rawValue
  }

  private static func fail(_ error: Failure) -> CInt {
    Terminal.writeLine("tinyupdater: \(error.sentence)", to: .error)
    return error.result.rawValue
  }

  /// The bytes written so far, a few times a second.
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
