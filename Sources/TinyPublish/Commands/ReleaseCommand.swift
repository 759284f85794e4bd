internal import ArgumentParser
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

  @OptionGroup
  var making: MakingOptions

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

  @Option(
    help: ArgumentHelp(
      """
      From when on devices may use the maps, such as 2026-12-24T09:01:00Z; they download before. (default: at once)
      """, valueName: "time"))
  var effective: TimeArgument?

  @Option(
    help: ArgumentHelp(
      "From when on the maps are not to be used any more: devices keep them, and say so. (default: never)",
      valueName: "time"))
  var expires: TimeArgument?

  @OptionGroup
  var expiry: ExpiryOptions

  @Flag(help: "Publish nothing and make no patches; print what would be released. Needs no keys.")
  var dryRun = false

  @OptionGroup
  var answers: AnswerOptions

  @Flag(name: .shortAndLong, help: "Print a line for each finished component.")
  var verbose = false

  func validate() throws {
    try expiry.check([.targets, .snapshot, .timestamp])
    guard rollout <= 100 else { throw ValidationError("--rollout takes a number from 0 to 100.") }
    if let effective, let expires, expires.seconds <= effective.seconds {
      throw ValidationError("--expires has to be later than --effective.")
    }
    guard maxDownload ?? 0 <= 100 else {
      throw ValidationError("--max-download takes a number from 0 to 100.")
    }
    guard !dryRun || maxDownload == nil else {
      throw ValidationError("--max-download needs the patches, which --dry-run does not make.")
    }
  }

  private var options: Publication.Options {
    var options = making.options
    options.allowedDownload = maxDownload
    options.offer.rollout = rollout
    options.offer.effective = effective?.seconds
    options.offer.expires = expires?.seconds
    options.validity = expiry.validity
    return options
  }

  func run() async throws {
    var reporter = answers.begin("release", isVerbose: verbose)
    if let warning = Output.zlibWarning { reporter.warn(warning) }
    var options = options
    options.observeWork = reporter.workObserver
    var ignored: [IgnoredFile] = []
    func observe(_ event: ReleaseEvent) {
      if case .ignored(let files) = event { ignored = files }
      reporter.show(.release(event))
    }
    let made: Made
    do throws(PublisherError) {
      let publication = try making.publication(options)
      if dryRun {
        made = .preview(try await publication.preview(observe))
      } else {
        made = .report(
          try await publication.run(signing: signing.store(for: making.repository), observe))
      }
    } catch { throw reporter.fail(error) }
    reporter.clear()
    switch made {
    case .preview(let preview):
      let summary = PreviewSummary(preview)
      answers.write(Answer.Preview(preview, ignored: ignored), text: summary.text)
      if let refusal = preview.refusal { throw reporter.fail(refusal) }
    case .report(let report):
      let summary = ReleaseSummary(report)
      answers.write(summary.answer(ignored: ignored), text: summary.text)
      if case .pending(let missing) = report.outcome {
        throw reporter.pending(missing, in: making.repository)
      }
    }
    reporter.end(.success)
  }

  private enum Made {
    case preview(ReleasePreview)
    case report(ReleaseReport)
  }
}
