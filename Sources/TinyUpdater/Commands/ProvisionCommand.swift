internal import MapModel
internal import Platform
internal import Updater

/// `provision`: fills a store before its device runs.
struct ProvisionCommand: StoreCommand {
  static var description: CommandDescription {
    .init(
      "provision", operands: .ids, options: [.from, .trustedRoot],
      summary: "install maps in an empty store, as for the image of a device",
      details: """
        Installs the packages of a bundle, or those that are named. Signatures are checked as in an update, but
        nothing is ever expired. The same bundle gives the same files at any time on any machine, and history and
        events stay empty. Interrupted, it is resumed; given again, it changes nothing.

        """)
  }

  private let ids: [PackageID]
  private let bundle: String

  init(_ invocation: Invocation) throws(UsageError) {
    ids = try invocation.takeIDs()
    guard let bundle = invocation.value(of: .from) else {
      throw invocation.error("provision needs --from: the bundle with the maps")
    }
    if ids.isEmpty && bundle.utf8.elementsEqual("-".utf8) {
      throw invocation.error("from standard input, provision needs the id of a package or region")
    }
    self.bundle = bundle
  }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    let started = Clock.milliseconds
    let console = session.console
    let reporter = Reporter(console)
    let updater = try reporter.makeUpdater(
      session.configuration.provisioning(from: bundle), record: .none)
    defer { reporter.finish() }
    let outcome = try updater.provision(ids)
    reporter.finish()
    let downloaded = updater.downloaded
    let release: Release?
    switch outcome {
    case .changed(_, let installed), .incomplete(_, let installed), .partial(_, let installed, _):
      console.conclude("provision", "\(installed.text) is installed, \(ByteCount(downloaded).text) read")
      release = installed
    // Only an update leaves a release standing by.
    case .staged(let installed, _, _), .standsBy(let installed, _, _): release = installed
    case .nothingToDo(let installed):
      console.conclude("provision", "nothing to do, \(installed?.text ?? "nothing") is installed")
      release = installed
    }
    console.emitResult(.success) { json in
      if let release { json.add("to", release.json) }
      json.add("downloaded", downloaded)
      json.add("peakResident", MemoryBudget.peakResident ?? 0)
      json.add("milliseconds", Clock.milliseconds - started)
    }
    return .success
  }
}
