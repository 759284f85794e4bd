internal import Platform

/// An option of the command line: one row of the table that usage text, parsing and completions are made from.
enum CommandOption: CaseIterable, Equatable {
  case config, root, repository, json, quiet, verbose
  case noWait
  case tree, composite, depth, installed, updates, language
  case memory
  case metadataDirectory, metadataURL, targetName, targetDirectory, targetURL, time
  case help, version

  /// The options of every command that works on the configured store.
  static var common: [CommandOption] { [.config, .root, .repository, .json, .quiet, .verbose] }

  var description: OptionDescription {
    switch self {
    case .config:
      .init("config", "c", .file, "read this configuration (default /etc/tinyupdater.conf, if it exists)")
    case .root: .init("root", nil, .directory, "the directory of the store (default /var/lib/tinyupdater)")
    case .repository: .init("repository", nil, .url, "the repository: https://, http:// or file://")
    case .json: .init("json", "j", nil, "write one JSON object per line instead of text")
    case .quiet: .init("quiet", "q", nil, "write errors only")
    case .verbose: .init("verbose", "v", nil, "write more detail")
    case .noWait: .init("no-wait", nil, nil, "do not wait for a process that is already working")
    case .tree: .init("tree", nil, nil, "show regions and packages as a tree")
    case .composite: .init("composite", nil, nil, "show the tree without its smallest packages")
    case .depth: .init("depth", nil, .number, "show only N levels of the tree")
    case .installed: .init("installed", nil, nil, "show only what is installed")
    case .updates: .init("updates", nil, nil, "show only what has an update")
    case .language: .init("lang", nil, .language, "show names in this language (default: that of the locale)")
    case .memory: .init("memory", nil, .bytes, "limit the memory of the process (default 8M)")
    case .metadataDirectory: .init("metadata-dir", nil, .directory, "the directory of trusted metadata")
    case .metadataURL: .init("metadata-url", nil, .url, "the directory of the repository's metadata")
    case .targetName: .init("target-name", nil, .name, "a target to download; may be given several times")
    case .targetDirectory: .init("target-dir", nil, .directory, "the directory to download to")
    case .targetURL: .init("target-base-url", nil, .url, "the directory of the repository's targets")
    case .time: .init("time", nil, .seconds, "check expiry against this time, in seconds since 1970")
    case .help: .init("help", "h", nil, "show help, for the program or for a command")
    case .version: .init("version", nil, nil, "show the version")
    }
  }

  var name: String { description.name }

  /// The option as getopt_long(3) needs it.
  var argument: Arguments.Option {
    let description = description
    return .init(description.name, description.letter, takesValue: description.value != nil)
  }
}
