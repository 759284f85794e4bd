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
    commandName: "diff", abstract: "Make a patch between two files, outside of any repository.",
    discussion: """
      "tinyupdater patch OLD PATCH NEW" applies it. The patch is applied once before it gets its name. /dev/null as \
      OLD makes a packed component.
      """)

  @Argument(help: "The file that is there.", completion: .file())
  var old: String

  @Argument(help: "The file that is wanted.", completion: .file())
  var new: String

  @Option(name: .shortAndLong, help: ArgumentHelp("The patch.", valueName: "patch"), completion: .file())
  var output: String

  @Option(help: ArgumentHelp("What applying may have to remember: 4K to 64M.", valueName: "bytes"))
  var dictionary = ByteArgument(bytes: 1 << 20)

  @Option(
    help: ArgumentHelp(
      "What searching for matches may take. (default: half of what there is)", valueName: "bytes"))
  var memory: ByteArgument?

  @Flag(name: .shortAndLong, help: "Say only what goes wrong.")
  var quiet = false

  @Flag(help: "Write the figures as JSON.")
  var json = false

  func validate() throws {
    guard let size = UInt32(exactly: dictionary.bytes), PatchLimits.dictionary.contains(size) else {
      throw ValidationError("--dictionary takes a number of bytes from 4K to 64M.")
    }
  }

  func run() throws {
    var options = FileDiff.Options()
    options.dictionary = UInt32(dictionary.bytes)
    options.memory = Int(clamping: memory?.bytes ?? MachineShare().memory / 2)
    Output.warnOfZlib()
    do throws(PublisherError) {
      let report = try FileDiff(from: old, to: new, output: output).run(options)
      if report.plan.index == .blocks && !quiet {
        Terminal.writeLine(
          "tinypublish: \(old) is too large to look at each of its bytes in the memory allowed: "
            + "only blocks were matched, and the patch is larger than it could be (--memory)", to: .error)
      }
      if report.unsearched > 0 && !quiet {
        Terminal.writeLine(
          "tinypublish: \(ByteCount(UInt64(report.unsearched)).text) of the files were not looked into for compressed "
            + "contents: there is too much of them, and the patch is larger than it could be (--memory)",
          to: .error)
      }
      if json { Terminal.writeLine(json(report).text) } else if !quiet { Terminal.write(lines(report)) }
    } catch { throw fail(error) }
  }

  private func lines(_ report: FileDiff.Report) -> String {
    Output.lines([
      ("patch", "\(Output.size(report.size)), \(ByteCount(report.size).share(of: report.head.newSize))"),
      ("head sha256", report.headDigest.hex), ("memory", Output.size(report.head.memoryNeeded)),
      ("search", report.plan.text),
    ])
  }

  private func json(_ report: FileDiff.Report) -> JSON {
    var json = JSON()
    json.add("format", 1)
    json.add("oldSize", report.head.oldSize)
    json.add("newSize", report.head.newSize)
    json.add("size", report.size)
    json.add("head", report.headDigest.hex)
    json.add("memory", report.head.memoryNeeded)
    json.add("blocks", report.plan.index == .blocks)
    json.add("matching", Output.json(report.plan))
    json.add("unsearched", UInt64(report.unsearched))
    json.add("streams", PatchMaker.encodesStreams)
    return json
  }
}
