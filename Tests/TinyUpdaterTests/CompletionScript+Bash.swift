@testable import TinyUpdater

extension CompletionScript {
  static var bashText: String {
    let valued = words(of: CommandOption.allCases.filter { $0.description.value != nil })
    let plain = valued.filter { !(words(taking: [.file, .bundle, .directory, .release])).contains($0) }
    let settings = words(of: [.config, .root])
    let helped = Command.allCases.map(\.name)
    return head + """

      _tinyupdater_ids() {
          \(listing(of: "\"$@\""))
      }

      # The first argument is true or false.
      _tinyupdater_groups() {
          local selected=$1
          shift
          \(groups(of: "\"$@\"", selected: "\"$selected\""))
      }

      _tinyupdater_releases() {
          \(releases(of: "\"$@\""))
      }

      _tinyupdater() {
          local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command= operands=() settings=() index
          COMPREPLY=()
          for ((index = 1; index < COMP_CWORD; index++)); do
              case ${COMP_WORDS[index]} in
              \(settings.joined(separator: " | ")))
                  settings+=("${COMP_WORDS[index]}" "${COMP_WORDS[++index]}") ;;
              \(valued.filter { !settings.contains($0) }.joined(separator: " | "))) index=$((index + 1)) ;;
              -*) ;;
              *) if [ -z "$command" ]; then command=${COMP_WORDS[index]}; else operands+=("${COMP_WORDS[index]}"); fi ;;
              esac
          done
          case $before in
          \(words(taking: [.file]).joined(separator: " | "))) _tinyupdater_reply -f; return ;;
          \(words(taking: [.directory]).joined(separator: " | "))) _tinyupdater_reply -d; return ;;
          \(words(taking: [.release]).joined(separator: " | ")))
              _tinyupdater_reply -W "$(_tinyupdater_releases "${settings[@]}")"
              return ;;
          \(plain.joined(separator: " | "))) return ;;
          esac
          case $command in
          "")
              case $word in
              -*) _tinyupdater_reply -W '\(words(of: global).joined(separator: " "))' ;;
              *) _tinyupdater_reply -W '\(helped.joined(separator: " ")) help' ;;
              esac
              return ;;
          help) [ ${#operands[@]} -gt 0 ] || _tinyupdater_reply -W '\(helped.joined(separator: " "))' ;;

      """ + Command.allCases.map(bashCase).joined() + """
            esac
        }

        # Answers with what compgen makes of its arguments and the word.
        _tinyupdater_reply() {
            mapfile -t COMPREPLY < <(compgen "$@" -- "$word")
            case $1 in -f | -d) compopt -o filenames 2>/dev/null ;; esac
        }

        complete -F _tinyupdater tinyupdater

        """
  }

  private static func bashCase(_ command: Command) -> String {
    let description = command.description
    var operands: String
    switch description.operands {
    case .none, .coordinates, .place, .count: operands = ""
    case .ids, .requiredIDs: operands = "_tinyupdater_reply -W \"$(_tinyupdater_ids \"${settings[@]}\")\""
    case .patchFiles, .route: operands = "_tinyupdater_reply -f"
    case .directory: operands = "_tinyupdater_reply -d"
    case .groups:
      operands = """
        case ${operands[0]} in
                    "") _tinyupdater_reply -W '\(description.operands.keywords.joined(separator: " "))' ;;
                    select) _tinyupdater_reply -W "$(_tinyupdater_groups false "${settings[@]}")" ;;
                    deselect) _tinyupdater_reply -W "$(_tinyupdater_groups true "${settings[@]}")" ;;
                    esac
        """
    }
    return """
          \(command.name))
              case $word in
              -*) _tinyupdater_reply -W '\(words(of: description.options).joined(separator: " "))' ;;
              *) \(operands.isEmpty ? "" : operands + " ");;
              esac ;;

      """
  }
}
