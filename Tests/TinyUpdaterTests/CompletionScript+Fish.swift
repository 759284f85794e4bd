@testable import TinyUpdater

extension CompletionScript {
  static var fishText: String {
    var lines: [String] = [
      """
      \(head)
      function __tinyupdater_ids
          set -l settings
          set -l words (commandline -opc)
          for index in (seq 2 (count $words))
              if contains -- $words[$index] \(words(of: [.config, .root]).joined(separator: " "))
                  set -a settings $words[$index] $words[(math $index + 1)]
              end
          end
          \(listing(of: "$settings").replacing("&&\n", with: "&& \\\n").replacing("|\n", with: "| \\\n"))
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

      complete -c tinyupdater -f
      """
    ]
    for command in Command.allCases {
      lines.append(
        "complete -c tinyupdater -n 'not __tinyupdater_command >/dev/null' -a \(command.name) -d \(quoted(command.description.summary))"
      )
    }
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
        lines.append("\(condition) -a '\(command.description.operands.keywords.joined(separator: " "))'")
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
      case .some: " -x"
      }
    return "\(letter)-l \(description.name)\(value) -d \(quoted(description.summary))"
  }

  private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "\\'"))'" }
}
