internal import ArgumentParser
internal import Crypto
internal import DeltaApply
internal import DeltaCreate
internal import PatchFormat
internal import Platform
internal import Publisher

/// `tinypublish diff`.
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Make a patch between two files, without a repository.",
    discussion: """
      "tinyupdater patch OLD PATCH NEW" applies it. The patch is checked by applying it before it gets its name. \
      /dev/null as OLD makes a packed component.

      OLD and NEW are copied first, beside the patch or, with "-o -", to TMPDIR.
      """)

  @Argument(help: "Old file.", completion: .file())
  var old: String

  @Argument(help: "New file.", completion: .file())
  var new: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The patch: a file, or - for standard output.", valueName: "patch"),
    completion: .file())
  var output: String

  @Option(
    help: ArgumentHelp(
      "LZMA2 dictionary size; applying the patch needs this much memory (4K to 64M).", valueName: "bytes"))
  var dictionary = ByteArgument(bytes: 1 << 20)

  @Option(
    help: ArgumentHelp(
      "Memory limit for match search. (default: half of the memory)", valueName: "bytes"))
  var memory: ByteArgument?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "How many processors are used. (default: all)", valueName: "count"))
  var jobs: Int?

  @OptionGroup
  var answers: AnswerOptions

  /// Nothing else may be written there.
  private var isPatchOnStandardOutput: Bool { output == "-" }

  func validate() throws {
    if answers.json && isPatchOnStandardOutput {
      throw ValidationError("--json and the patch cannot both go to standard output.")
    }
    guard let size = UInt32(exactly: dictionary.bytes), PatchMaker.Options.dictionarySizes.contains(size)
    else {
      throw ValidationError("--dictionary takes a size from 4K to 64M.")
    }
    if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs takes a number from 1 to 1024.") }
  }

  func run() throws {
    var options = FileDiff.Options()
    options.dictionary = UInt32(dictionary.bytes)
    let share = MachineShare()
    options.memory = Int(clamping: memory?.bytes ?? share.halfOfMemory)
    options.processors = jobs ?? share.processors
    var reporter = answers.begin("diff")
    options.observe = reporter.workObserver
    do throws(PublisherError) {
      let report = try FileDiff(from: old, to: new, output: output).run(options)
      reporter.clear()
      if let limitation = report.plan.limitation, !answers.quiet {
        reporter.warn("\(old) \(limitation); the patch may be larger")
      }
      if report.streams.unsearched > 0 {
        if let warning = Output.zlibWarning {
          reporter.warn(warning)
        } else if !answers.quiet {
          reporter.warn(
            "\(ByteCount(UInt64(report.streams.unsearched)).text) of the files were not searched for compressed contents "
              + "(not enough --memory); the patch is larger")
        }
      }
      if answers.json {
        Answer.write(Answer.Diff(report))
      } else if !answers.quiet && !isPatchOnStandardOutput {
        Output.write(lines(report))
      }
    } catch { throw reporter.fail(error) }
    reporter.end(.success)
  }

  private func lines(_ report: FileDiff.Report) -> String {
    var text = Output.lines([
      ("patch", "\(Output.size(report.size)), \(ByteCount(report.size).share(of: report.head.newSize))"),
      ("head sha256", report.headDigest.hex), ("memory", Output.size(report.head.memoryNeeded)),
      ("search", report.plan.text), ("scripts", report.trials.text),
      ("streams", report.isSearchedForStreams ? report.streams.text : "not searched for"),
    ])
    for reason in StreamFigures.Outcome.reasons {
      if let sentence = report.streams.sentence(reason) { text += sentence + "\n" }
    }
    return text
  }
}

extension FileDiff.Report {
  /// Streams were searched for, and could be encoded if there were any.
  fileprivate var isSearchedForStreams: Bool {
    streams.unsearched == 0 || PatchMaker.encodesStreams
  }
}
