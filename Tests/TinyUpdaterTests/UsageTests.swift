import Testing

@testable import TinyUpdater

@Suite("Usage")
struct UsageTests {
  @Test("the help of the program names every command, and every option of commands on the store")
  func program() {
    for command in Command.allCases {
      #expect(Usage.text.contains("\n  \(command.description.usage)"))
      #expect(Usage.text.contains(command.description.summary))
    }
    for command in Command.allCases where command.description.scope == .store {
      for option in command.description.options { #expect(Usage.text.contains("--\(option.name)")) }
    }
  }

  @Test("the help of a command names its options and no others", arguments: Command.allCases)
  func command(command: Command) {
    let text = Usage.text(of: command)
    #expect(text.hasPrefix("usage: tinyupdater \(command.description.usage)\n"))
    for option in CommandOption.allCases {
      let isShown = text.contains("\n  \(option.description.usage)  ")
      #expect(isShown == command.description.options.contains(option), "\(option)")
    }
  }

  @Test("no line is wider than a wide terminal")
  func width() {
    for text in [Usage.text] + Command.allCases.map(Usage.text(of:)) {
      for line in text.split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
    }
  }
}
