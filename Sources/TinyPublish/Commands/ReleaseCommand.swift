internal import ArgumentParser
internal import Catalog
internal import Platform
internal import Publisher
internal import Trust

/// `tinypublish release`.
struct ReleaseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "release", abstract: "Add a release to a repository.",
    discussion: """
      DIR holds the maps as REGION/…/PACKAGE/DATAGROUP.ext, with an optional map.xml beside the data files for names \
      and bounds; DIR may be an archive of that: .tar, .tar.gz, .tar.xz, .tar.zst or .zip. Unchanged components stay as they are, and devices do not download them; for the others, patches from \
      the previous releases are made.

      The command can be interrupted at any time and repeated: until it ends, devices see the old release.
      """)

  @Argument(help: ArgumentHelp("The repository.", valueName: "repo"), completion: .directory)
  var repository: String

  @Argument(
    help: ArgumentHelp("The map data: a directory, or an archive of it.", valueName: "dir"),
    completion: .file())
  var input: String

  @Option(name: .shortAndLong, help: "The label of the release, such as 2024-06-30.")
  var label: String

  @Option(
    help: ArgumentHelp("How many previous releases patches are made from, 0 to 64.", valueName: "count"))
  var patchFrom = 2

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "How many components are processed at a time. (default: the number of processors)", valueName: "count"))
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "Memory limit for match search, shared by all jobs. (default: half of the memory)",
      valueName: "bytes"))
  var memory: ByteArgument?

  @Option(
    help: ArgumentHelp(
      "How many components of the previous release may be missing from DIR.", valueName: "count"))
  var allowRemoved = 0

  @Option(
    help: ArgumentHelp(
      """
      What a device with all maps of the previous release may have to download, as a percentage of those maps in full; \
      a release that takes more is not published. (default: any)
      """, valueName: "percent"))
  var maxDownload: UInt64?

  @OptionGroup
  var signing: SigningOptions

  @Option(
    help: ArgumentHelp("The percentage of devices that the release is offered to.", valueName: "percent"))
  var rollout: UInt64 = 100

  @OptionGroup
  var expiry: ExpiryOptions

  @Flag(help: "Publish nothing and make no patches; print what would be released. Needs no keys.")
  var dryRun = false

  @Flag(name: .shortAndLong, help: "Print only warnings and errors.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Print a line for each finished component.")
  var verbose = false

  @OptionGroup
  var progress: ProgressOptions

  @Flag(help: "Print the figures as JSON.")
  var json = false

  func validate() throws {
    try expiry.check([.targets, .snapshot, .timestamp])
    guard (0...CatalogLimits.patches).contains(patchFrom) else {
      throw ValidationError("--patch-from takes a number from 0 to \(CatalogLimits.patches).")
    }
    guard allowRemoved >= 0 else { throw ValidationError("--allow-removed takes a number of at least 0.") }
    guard rollout <= 100 else { throw ValidationError("--rollout takes a number from 0 to 100.") }
    guard maxDownload ?? 0 <= 100 else {
      throw ValidationError("--max-download takes a number from 0 to 100.")
    }
    guard !dryRun || maxDownload == nil else {
      throw ValidationError("--max-download needs the patches, which --dry-run does not make.")
    }
    if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs takes a number from 1 to 1024.") }
  }

  private var options: Publication.Options {
    var options = Publication.Options { Clock.now }
    options.patchReleases = patchFrom
    let share = MachineShare()
    options.jobs = jobs ?? share.processors
    options.memory = Int(clamping: memory?.bytes ?? share.memory / 2)
    options.allowedRemovals = allowRemoved
    options.allowedDownload = maxDownload
    options.rollout = rollout
    options.validity = expiry.validity
    return options
  }

  func run() async throws {
    var reporter = progress.begin("release", isQuiet: quiet, isVerbose: verbose)
    if let warning = Output.zlibWarning { reporter.warn(warning) }
    var ignored: [IgnoredFile] = []
    func observe(_ event: ReleaseEvent) {
      if case .ignored(let files) = event { ignored = files }
      reporter.show(.release(event))
    }
    let made: Made
    do throws(PublisherError) {
      let publication = try Publication(
        of: input, label: label, in: try Repository(opening: repository), options: options)
      if dryRun {
        made = .preview(try await publication.preview(observe))
      } else {
        made = .report(
          try await publication.run(signing: signing.store(for: repository), observe))
      }
    } catch { throw reporter.fail(error) }
    reporter.clear()
    switch made {
    case .preview(let preview):
      let summary = PreviewSummary(preview)
      write(summary.text, summary.json(ignored: ignored))
    case .report(let report):
      let summary = ReleaseSummary(report)
      write(summary.text, summary.json(ignored: ignored))
      if case .pending(let missing) = report.outcome { throw reporter.pending(missing, in: repository) }
    }
    reporter.end(.success)
  }

  private enum Made {
    case preview(ReleasePreview)
    case report(ReleaseReport)
  }

  private func write(_ text: String, _ value: JSON) {
    if json { Terminal.writeLine(value.text) } else if !quiet { Output.write(text) }
  }
}
