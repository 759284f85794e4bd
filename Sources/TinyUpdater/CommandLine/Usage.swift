internal import Platform

/// The help texts of the program, made from the table of commands and options.
enum Usage {
  /// What `tinyupdater --help` prints.
  static var text: String {
    var text = """
      usage: tinyupdater [OPTION…] COMMAND [OPERAND…]

      Keeps all maps of this device on a single release.

      commands

      """
    for command in Command.allCases {
      text += line(command.description.usage, meaning: command.description.summary)
    }
    text += "\noptions\n"
    for option in CommandOption.allCases {
      guard !CommandOption.common.contains(option), option != .help, option != .version, option != .licenses
      else {
        text += line(option.description.usage, meaning: option.description.summary)
        continue
      }
      let takers = takers(of: option)
      guard !takers.isEmpty else { continue }
      text += line(
        option.description.usage, meaning: "\(takers.joined(by: ", ")): \(option.description.summary)")
    }
    return text + """

      "tinyupdater COMMAND --help" shows the options of one command.

      Exit: 0 done or nothing to do, 10 update available (check), 11 application too old, 12 maps are missing,
      13 withheld, 14 expired (status), 15 packages refused, 20 no connection, 21 rejected, 22 not enough space,
      23 over the memory budget, 24 storage error, 25 busy, 26 cancelled, 64 usage, 78 configuration or store unusable.
      See tinyupdater(8).

      """
  }

  /// What `tinyupdater COMMAND --help` prints.
  static func text(of command: Command) -> String {
    let description = command.description
    var text = "usage: tinyupdater \(description.usage)\n\n\(description.summary)\n"
    if !description.details.isEmpty { text += "\n\(description.details)\n" }
    text += "\noptions\n"
    for option in description.options {
      text += line(option.description.usage, meaning: option.description.summary)
    }
    return text
  }

  /// The commands on the store that take an option of their own.
  private static func takers(of option: CommandOption) -> [String] {
    var names: [String] = []
    for command in Command.allCases {
      let description = command.description
      if description.scope == .store && description.ownOptions.contains(option) {
        names.append(description.name)
      }
    }
    return names
  }

  /// A term and its meaning in two columns.
  private static func line(_ term: String, meaning: String) -> String {
    let width = 32
    if term.count < width { return "  \(term.filled(to: width))\(meaning)\n" }
    return "  \(term)\n  \("".filled(to: width))\(meaning)\n"
  }
}
