import MapModel

@testable import TinyUpdater

/// The shell completions in `config/completions`, made from the table of commands and options.
enum CompletionScript: String, CaseIterable {
  case bash = "tinyupdater.bash"
  case zsh = "_tinyupdater"
  case fish = "tinyupdater.fish"

  var text: String {
    switch self {
    case .bash: CompletionScript.bashText
    case .zsh: CompletionScript.zshText
    case .fish: CompletionScript.fishText
    }
  }

  static var head: String {
    """
    # Completions of tinyupdater(8). `make completions` writes this file from the table in Sources/TinyUpdater/CommandLine.

    """
  }

  /// Prints the ids of the packages and regions in the store, which a shell variable `settings` may name.
  ///
  /// It opens no connection and changes nothing: `list` would do both in a store without a catalog.
  static func listing(of settings: String) -> String {
    """
    tinyupdater \(settings) --json status 2>/dev/null | grep -qE '"(release|newest)":' &&
            tinyupdater \(settings) --json list --tree 2>/dev/null |
            sed -n 's/^{"event":"[a-z]*","id":"\(name)".*/\\1/p'
    """
  }

  /// Prints the data groups that are selected (`true`), without the one that always is, or those that are not (`false`).
  static func groups(of settings: String, selected: String) -> String {
    let essential = DataGroup.essential.text
    return """
      tinyupdater \(settings) --json groups 2>/dev/null |
              sed -n '/"name":"\(essential)"/d; s/^{"event":"group","name":"\(name)","selected":'\(selected)',.*/\\1/p'
      """
  }

  /// Prints the labels of the releases that can be named: the newest known one, what stands by, what is blocked.
  static func releases(of settings: String) -> String {
    """
    tinyupdater \(settings) --json status 2>/dev/null |
            grep -oE '"(newest|standby)":\\{[^}]*|"blocked":\\[[^]]*' | grep -oE '"label":"[^"]*"' |
            sed -n 's/"label":"\(name)"/\\1/p' | sort -u
    """
  }

  /// The name of something, as sed finds it between quotation marks: without what a shell would carry out or replace.
  private static var name: String { #"\([^"$`();&|<>*?{}!~#'\''[]*\)"# }

  /// The options of a command on the command line, both forms of each.
  static func words(of options: [CommandOption]) -> [String] {
    options.flatMap { option in
      (option.description.letter.map { ["-\($0)"] } ?? []) + ["--\(option.name)"]
    }
  }

  /// The forms of all options whose value is of one of these kinds.
  static func words(taking kinds: [OptionDescription.Value]) -> [String] {
    words(
      of: CommandOption.allCases.filter { option in option.description.value.map(kinds.contains) ?? false })
  }

  static var global: [CommandOption] { CommandOption.common + [.help, .version] }
}
