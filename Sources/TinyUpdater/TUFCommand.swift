internal import Platform
internal import Trust
internal import Updater

/// `tinyupdater tuf`: the bare client for any TUF repository, for diagnosis and for conformance suites.
///
/// It has options of its own, reads no configuration, touches no store, and exits with 0 or 1.
struct TUFCommand {
  private let line: Arguments

  private static var options: [Arguments.Option] {
    [
      .init("metadata-dir", takesValue: true), .init("metadata-url", takesValue: true),
      .init("target-name", takesValue: true), .init("target-dir", takesValue: true),
      .init("target-base-url", takesValue: true), .init("time", takesValue: true), .init("help", "h"),
    ]
  }

  private static var usage: String {
    """
    usage: tinyupdater tuf --metadata-dir DIR init ROOT
           tinyupdater tuf --metadata-url URL --metadata-dir DIR refresh
           tinyupdater tuf --metadata-url URL --metadata-dir DIR --target-name NAME… --target-dir DIR
                           --target-base-url URL download

    The client of The Update Framework alone, for any repository: init trusts a root, refresh learns the newest
    metadata, download fetches and verifies targets. --time SECONDS sets the time, in seconds since 1970, at
    which expiry is looked at. Exit: 0 done, 1 anything else.

    """
  }

  /// Runs the command whose operands are behind the word `tuf`.
  static func run(count: CInt, values: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> CInt {
    guard let line = Arguments(count: count, values: values, accepting: options) else { return 1 }
    if line.has("help") {
      Terminal.write(usage)
      return 0
    }
    do throws(UpdateError) {
      var configuration = Configuration()
      try configuration.enforceMemoryBudget()
      if try TUFCommand(line: line).run() { return 0 }
      Terminal.write(usage, to: .error)
    } catch {
      Terminal.writeLine("tinyupdater: \(error.sentence)", to: .error)
    }
    return 1
  }

  /// False if the command line is none.
  private func run() throws(UpdateError) -> Bool {
    guard let directory = line.value(of: "metadata-dir") else { return false }
    switch (line.operands.first ?? "", line.operands.count) {
    case ("init", 2):
      try BareClient.initialize(directory, root: line.operands[1])
      return true
    case ("refresh", 1):
      guard var client = try client(directory) else { return false }
      _ = try client.refresh()
      return true
    case ("download", 1):
      guard var client = try client(directory), let folder = line.value(of: "target-dir"),
        let base = line.value(of: "target-base-url"), line.has("target-name")
      else { return false }
      let snapshot = try client.refresh()
      for option in line.options where option.name == "target-name" {
        let name = try client.download(Name(option.value), snapshot, from: base, to: folder)
        Terminal.writeLine("\(folder)/\(name)")
      }
      return true
    default: return false
    }
  }

  private func client(_ directory: String) throws(UpdateError) -> BareClient? {
    guard let url = line.value(of: "metadata-url"), let now = time else { return nil }
    return try BareClient(url, directory: directory, now: now)
  }

  /// Nil if it is not a number.
  private var time: Int64? {
    guard let text = line.value(of: "time") else { return Clock.now }
    return Int64(ascii: text.utf8)
  }
}
