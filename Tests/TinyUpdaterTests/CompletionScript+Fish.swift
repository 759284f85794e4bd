@testable import TinyUpdater

extension CompletionScript {
  static var fishText: String {
    var lines: [String] = [
      """
      \(head)
      # The options on the command line that say which store.
      function __tinyupdater_settings
          set -l words (commandline -opc)
          for index in (seq 2 (count $words))
              if contains -- $words[$index] \(words(of: [.config, .root]).joined(separator: " "))
                  printf '%s\\n' $words[$index] $words[(math $index + 1)]
              end
          end
      end

      function __tinyupdater_ids
          set -l settings (__tinyupdater_settings)
          \(continued(listing(of: "$settings")))
      end

      # The argument is true or false.
      function __tinyupdater_groups
          set -l selected $argv[1]
          set -l settings (__tinyupdater_settings)
          \(continued(groups(of: "$settings", selected: "\"$selected\"")))
      end

      function __tinyupdater_releases
          set -l settings (__tinyupdater_settings)
          \(continued(releases(of: "$settings")))
      end

      # The command on the command line; fails if there is none yet.
      function __tinyupdater_command
          set -l words (commandline -opc)
          set -e words[1]
          while set -q words[1]
              switch $words[1]
                  case \(words(of: CommandOption.allCases.filter { $0.description.value != nil }).joined(separator: " "))
                      set -e words[1]
                  case '-*'
                  case '*'
                      echo $words[1]
                      return 0
              end
              set -e words[1]
          end
          return 1
      end

      function __tinyupdater_is
          test (__tinyupdater_command)x = $argv[1]x
      end

      # One of the arguments is on the command line. Fish's own function of that kind takes a part of a word for it.
      function __tinyupdater_has
          set -l words (commandline -opc)
          for word in $argv
              contains -- $word $words && return 0
          end
          return 1
      end

      complete -c tinyupdater -f
      """
    ]
    for command in Command.allCases {
      lines.append(
        "complete -c tinyupdater -n 'not __tinyupdater_command >/dev/null' -a \(command.name) -d \(quoted(command.description.summary))"
      )
    }
    lines.append(
      "complete -c tinyupdater -n 'not __tinyupdater_command >/dev/null' -a help -d 'show help, for the program or for a command'"
    )
    lines.append(
      "complete -c tinyupdater -n '__tinyupdater_is help' -a '\(Command.allCases.map(\.name).joined(separator: " "))'"
    )
    for option in global {
      lines.append(
        "complete -c tinyupdater -n 'not __tinyupdater_command >/dev/null' \(specification(option))")
    }
    for command in Command.allCases {
      let condition = "complete -c tinyupdater -n '__tinyupdater_is \(command.name)'"
      for option in command.description.options { lines.append("\(condition) \(specification(option))") }
      switch command.description.operands {
      case .none, .coordinates, .place, .count: break
      case .ids, .requiredIDs: lines.append("\(condition) -a '(__tinyupdater_ids)'")
      case .patchFiles, .route: lines.append("\(condition) -F")
      case .directory: lines.append("\(condition) -a '(__fish_complete_directories)'")
      case .groups:
        let keywords = command.description.operands.keywords.joined(separator: " ")
        let hasKeyword = "__tinyupdater_has \(keywords)"
        lines.append("\(condition.dropLast()); and not \(hasKeyword)' -a '\(keywords)'")
        for (keyword, selected) in [("select", false), ("deselect", true)] {
          lines.append(
            "\(condition.dropLast()); and __tinyupdater_has \(keyword)' -a '(__tinyupdater_groups \(selected))'"
          )
        }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func specification(_ option: CommandOption) -> String {
    let description = option.description
    let letter = description.letter.map { "-s \($0) " } ?? ""
    let value =
      switch description.value {
      case nil: ""
      case .file, .bundle: " -r -F"
      case .directory: " -x -a '(__fish_complete_directories)'"
      case .release: " -x -a '(__tinyupdater_releases)'"
      case .some: " -x"
      }
    return "\(letter)-l \(description.name)\(value) -d \(quoted(description.summary))"
  }

  /// A pipe goes on in the next line only where that is said.
  private static func continued(_ script: String) -> String {
    script.replacing("&&\n", with: "&& \\\n").replacing("|\n", with: "| \\\n")
  }

  private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "\\'"))'" }
}
