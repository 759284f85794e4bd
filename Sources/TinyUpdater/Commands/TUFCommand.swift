internal import Platform
internal import Transport
internal import Trust
internal import Updater

/// `tuf`: the client of The Update Framework alone, for diagnosis and for conformance suites.
///
/// It reads no configuration, uses no store, and exits with 0 or 1.
struct TUFCommand {
  static var description: CommandDescription {
    .init(
      "tuf", operands: .tuf, scope: .standalone,
      options: [.metadataDirectory, .metadataURL, .targetName, .targetDirectory, .targetURL, .time],
      summary: "fetch from any TUF repository, without a store",
      details: """
        usage: tinyupdater tuf --metadata-dir DIR init ROOT
               tinyupdater tuf --metadata-url URL --metadata-dir DIR refresh
               tinyupdater tuf --metadata-url URL --metadata-dir DIR --target-name NAME… --target-dir DIR
                               --target-base-url URL download

        init trusts the root metadata in the file ROOT, refresh fetches the newest metadata, download fetches and
        verifies targets. Exit: 0 done, 1 anything else.
        """)
  }

  private enum Action {
    case initialize(root: String)
    case refresh(url: String)
    case download(url: String, names: [String], directory: String, base: String)
  }

  private let metadata: String
  private let action: Action
  private let time: Int64

  init(_ invocation: Invocation) throws(UsageError) {
    let words = invocation.operands
    metadata = try invocation.required(.metadataDirectory)
    switch (words.first ?? "", words.count) {
    case ("init", 2): action = .initialize(root: words[1])
    case ("refresh", 1): action = .refresh(url: try invocation.required(.metadataURL))
    case ("download", 1):
      let names = invocation.values(of: .targetName)
      _ = try invocation.required(.targetName)
      action = .download(
        url: try invocation.required(.metadataURL), names: names,
        directory: try invocation.required(.targetDirectory), base: try invocation.required(.targetURL))
    default: throw invocation.error("tuf needs one of init ROOT, refresh, download")
    }
    guard let text = invocation.value(of: .time) else {
      time = Clock.now
      return
    }
    guard let seconds = Int64(ascii: text.utf8) else {
      throw invocation.error("--time takes a number of seconds since 1970")
    }
    time = seconds
  }

  /// Returns the exit status of the process: 0 or 1.
  func run() -> CInt {
    do throws(UpdateError) {
      var configuration = Configuration()
      try configuration.enforceMemoryBudget()
      switch action {
      case .initialize(let root): try BareClient.initialize(metadata, root: root)
      case .refresh(let url):
        var client = try BareClient(url, directory: metadata, now: time)
        TUFCommand.confine(to: [metadata], asking: [url])
        _ = try client.refresh()
      case .download(let url, let names, let directory, let base):
        var client = try BareClient(url, directory: metadata, now: time)
        _ = try wrap(file: Directory(making: directory))
        TUFCommand.confine(to: [metadata, directory], asking: [url, base])
        let snapshot = try client.refresh()
        for name in names {
          let file = try client.download(Name(name), in: snapshot, from: base, to: directory)
          Terminal.writeLine("\(directory)/\(file)")
        }
      }
      return 0
    } catch {
      Terminal.writeLine("tinyupdater: \(error.sentence)", to: .error)
      return 1
    }
  }

  private static func confine(to directories: [String], asking urls: [String]) {
    var access = Confinement.Access()
    access.reading = urls.compactMap { Configuration.localPath($0) } + [TransportSettings.systemAuthorities]
    access.changing = directories
    _ = Confinement.enter(access)
  }
}

extension Invocation {
  /// The value of an option that must be given.
  fileprivate func required(_ option: CommandOption) throws(UsageError) -> String {
    guard let value = value(of: option) else { throw error("\(command.name) needs --\(option.name)") }
    return value
  }
}
