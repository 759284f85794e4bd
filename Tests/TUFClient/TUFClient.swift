import ArgumentParser
import CPlatform
import JSONReading
import Platform
import Trust
import Updater

/// The device's client of The Update Framework alone, with the command line that suites for such clients expect.
///
/// It reads no configuration, uses no store, and exits with 0 or 1.
@main
struct TUFClient: ParsableCommand {
  enum Action: String, CaseIterable, ExpressibleByArgument { case `init`, refresh, download }

  static let configuration = CommandConfiguration(
    commandName: "tuf-client", abstract: "Fetches from any repository of The Update Framework.")

  @Option(help: "The directory of trusted metadata.") var metadataDir: String
  @Option(help: "The directory of the repository's metadata.") var metadataUrl: String?
  @Option(help: "A target to download; may be given several times.") var targetName: [String] = []
  @Option(help: "The directory to download to.") var targetDir: String?
  @Option(help: "The directory of the repository's targets.") var targetBaseUrl: String?
  @Option(help: "Check expiry against this time, in seconds since 1970.") var time: Int64?
  @Argument(help: "What to do: init trusts a root, refresh fetches metadata, download fetches targets.")
  var action: Action
  @Argument(help: "For init: the file of the root metadata.") var root: String?

  func run() throws {
    switch action {
    case .`init`: try BareClient.initialize(metadataDir, root: required(root, "the file of the root"))
    case .refresh:
      var client = try client()
      _ = try client.refresh()
    case .download:
      var client = try client()
      let (directory, base) = (
        try required(targetDir, "--target-dir"), try required(targetBaseUrl, "--target-base-url")
      )
      guard !targetName.isEmpty else { throw ValidationError("--target-name is missing") }
      let snapshot = try client.refresh()
      for name in targetName {
        let file = try client.download(Name(name), in: snapshot, from: base, to: directory)
        Terminal.writeLine("\(directory)/\(file)")
      }
    }
  }

  private func required(_ value: String?, _ name: String) throws -> String {
    guard let value else { throw ValidationError("\(name) is missing") }
    return value
  }

  private func client() throws -> BareClient {
    try BareClient(
      required(metadataUrl, "--metadata-url"), directory: metadataDir, now: time ?? Clock.now)
  }

  static func main() {
    StopSignal.listen()
    do { try parse().run() } catch {
      let sentence = (error as? Failure)?.sentence ?? fullMessage(for: error)
      let isHelp = exitCode(for: error) == .success
      Terminal.write(sentence + "\n", to: isHelp ? .output : .error)
      CPlatform.exit(isHelp ? 0 : 1)
    }
  }
}
