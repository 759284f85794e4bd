@testable import TinyUpdater

extension CompletionScript {
  static var zshText: String {
    """
    #compdef tinyupdater
    \(head)
    # Sets the array `settings`: those before the command, which are in `before`, and those after it.
    _tinyupdater_settings() {
        local option
        settings=($before)
        for option in \(words(of: [.config, .root]).joined(separator: " ")); do
            if (( $+opt_args[$option] && ! $settings[(Ie)$option] )); then settings+=($option ${(Q)opt_args[$option]}); fi
        done
    }

    _tinyupdater_ids() {
        local -a ids settings
        _tinyupdater_settings
        ids=(${(f)"$(\(listing(of: "$settings")))"})
        _describe -t ids 'package or region' ids
    }

    _tinyupdater_groups() {
        local -a groups settings
        local selected=$1
        _tinyupdater_settings
        groups=(${(f)"$(\(groups(of: "$settings", selected: "\"$selected\"")))"})
        _describe -t groups 'data group' groups
    }

    _tinyupdater_releases() {
        local -a releases settings
        _tinyupdater_settings
        releases=(${(f)"$(\(releases(of: "$settings")))"})
        _describe -t releases release releases
    }

    _tinyupdater() {
        local curcontext=$curcontext state line
        local -A opt_args
        local -a commands before settings
        commands=(
    \(Command.allCases.map { "        \(quoted("\($0.name):\($0.description.summary)"))" }.joined(separator: "\n"))
            'help:show help, for the program or for a command'
        )
        _arguments -C -A '-*' \\
    \(global.map { "        \(specification($0)) \\" }.joined(separator: "\n"))
            '1:command:->command' '*::operand:->operand' && return
        case $state in
        command) _describe -t commands command commands ;;
        operand)
            _tinyupdater_settings
            before=($settings)
            case $words[1] in
            help) (( CURRENT > 2 )) || _describe -t commands command commands ;;
    \(Command.allCases.map(zshCase).joined(separator: "\n"))
            esac ;;
        esac
    }

    _tinyupdater "$@"

    """
  }

  private static func zshCase(_ command: Command) -> String {
    let description = command.description
    var lines = description.options.map(specification)
    switch description.operands {
    case .none: break
    case .ids, .requiredIDs: lines.append("'*:id:_tinyupdater_ids'")
    case .coordinates, .place: lines += ["'1:latitude:'", "'2:longitude:'"]
    case .groups:
      lines.append("'1:change:(select deselect)'")
      lines.append(
        "'*:data group:{ if (( words[(I)deselect] )); then _tinyupdater_groups true; else _tinyupdater_groups false; fi }'"
      )
    case .count: lines.append("'1:number of runs:'")
    case .patchFiles: lines += ["'1:old file:_files'", "'2:patch:_files'", "'3:new file:_files'"]
    case .directory: lines.append("'1:directory:_files -/'")
    case .route: lines.append("'1:route:_files'")
    }
    return "        \(command.name)) _arguments \\\n"
      + lines.map { "            \($0)" }.joined(separator: " \\\n") + " ;;"
  }

  /// An option as _arguments takes it.
  private static func specification(_ option: CommandOption) -> String {
    let description = option.description
    let forms = words(of: [option])
    let action =
      switch description.value {
      case nil: ""
      case .file, .bundle: ":file:_files"
      case .directory: ":directory:_files -/"
      case .release: ":release:_tinyupdater_releases"
      case .some(let value): ":\(value.placeholder.lowercased()):"
      }
    let text = description.summary.replacing(":", with: "\\:")
    let rest = quoted("[\(text)]\(action)")
    let exclusion = quoted("(\(forms.joined(separator: " ")))")
    return exclusion + (forms.count == 1 ? forms[0] : "{\(forms.joined(separator: ","))}") + rest
  }

  private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }
}
