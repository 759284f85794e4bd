internal import Platform

/// An option of the command line: one row of the table that usage text, parsing and completions are made from.
enum CommandOption: CaseIterable, Equatable {
  case config, root, repository, json, quiet, verbose
  case from, trustedRoot, noWait, spread, limit, release, stage
  case radius, within, install, route
  case operation
  case tree, composite, depth, installed, updates, language
  case memory, format, output
  case help, version, licenses

  /// The options of every command that works on the configured store.
  static var common: [CommandOption] { [.config, .root, .repository, .json, .quiet, .verbose] }

  var description: OptionDescription {
    switch self {
    case .config:
      .init(
        "config", letter: "c", value: .file,
        summary: "read this configuration (default /etc/tinyupdater.conf, if it exists)")
    case .root:
      .init(
        "root", letter: nil, value: .directory,
        summary: "the directory of the store (default /var/lib/tinyupdater)")
    case .repository:
      .init("repository", letter: nil, value: .url, summary: "the repository: https://, http:// or file://")
    case .json:
      .init("json", letter: "j", value: nil, summary: "write one JSON object per line instead of text")
    case .quiet: .init("quiet", letter: "q", value: nil, summary: "write errors only")
    case .verbose: .init("verbose", letter: "v", value: nil, summary: "write more detail")
    case .from:
      .init(
        "from", letter: nil, value: .bundle,
        summary: "use this directory or tar archive")
    case .trustedRoot:
      .init(
        "trusted-root", letter: nil, value: .file,
        summary: "the root.json that the device begins to trust with")
    case .noWait:
      .init("no-wait", letter: nil, value: nil, summary: "do not wait for another process")
    case .spread:
      .init(
        "spread", letter: nil, value: nil,
        summary: "run as a timer does: begin later, by a random part of the setting spread")
    case .limit:
      .init(
        "limit", letter: nil, value: .bytes,
        summary: "stop after that many bytes, such as 500M; the next run resumes there")
    case .release:
      .init(
        "release", letter: nil, value: .release,
        summary: "this release, even if it is blocked or not in effect yet")
    case .stage:
      .init(
        "stage", letter: nil, value: nil,
        summary: "do everything but the switch, which \"tinyupdater activate\" does later")
    case .radius:
      .init(
        "radius", letter: nil, value: .distance, summary: "up to this distance, in metres or such as 50K")
    case .within:
      .init(
        "within", letter: nil, value: .distance, summary: "up to this distance, in metres or such as 10K")
    case .route:
      .init(
        "route", letter: nil, value: .file,
        summary: "the route that it follows (GeoJSON or GPX), or \"none\"")
    case .install: .init("install", letter: nil, value: nil, summary: "install what is not installed")
    case .operation:
      .init("operation", letter: nil, value: .number, summary: "cancel only the operation with this number")
    case .tree: .init("tree", letter: nil, value: nil, summary: "show regions and packages as a tree")
    case .composite:
      .init("composite", letter: nil, value: nil, summary: "show the tree without its smallest packages")
    case .depth: .init("depth", letter: nil, value: .number, summary: "show only N levels of the tree")
    case .installed: .init("installed", letter: nil, value: nil, summary: "show only what is installed")
    case .updates: .init("updates", letter: nil, value: nil, summary: "show only what has an update")
    case .language:
      .init(
        "lang", letter: nil, value: .language,
        summary: "names in this language (default: that of the locale)")
    case .memory:
      .init("memory", letter: nil, value: .bytes, summary: "limit the memory of the process (default 8M)")
    case .format:
      .init("format", letter: nil, value: .format, summary: "\"prometheus\": metrics in its text format")
    case .output:
      .init("output", letter: "o", value: .file, summary: "write the archive to this new file")
    case .help: .init("help", letter: "h", value: nil, summary: "show help, for the program or for a command")
    case .version: .init("version", letter: nil, value: nil, summary: "show the version")
    case .licenses:
      .init("licenses", letter: nil, value: nil, summary: "show what is linked in, and under which terms")
    }
  }

  var name: String { description.name }

  /// The option as getopt_long(3) needs it.
  var argument: Arguments.Option {
    let description = description
    return .init(description.name, letter: description.letter, takesValue: description.value != nil)
  }
}
