import Platform
import TestSupport
import Testing

@testable import TinyUpdater

/// The table of commands and options, and the documents that repeat it.
@Suite("Commands and options")
struct CommandTableTests {
  private let manual: String

  init() throws {
    let file = try File(opening: "\(Checkout.root)/docs/man/tinyupdater.8")
    manual = String(decoding: try file.bytes(upTo: 1 << 20), as: UTF8.self)
  }

  @Test("names are unique")
  func unique() {
    #expect(Set(Command.allCases.map(\.name)).count == Command.allCases.count)
    #expect(Set(CommandOption.allCases.map(\.name)).count == CommandOption.allCases.count)
    let letters = CommandOption.allCases.compactMap(\.description.letter)
    #expect(Set(letters).count == letters.count)
  }

  @Test("each command is found by its name, and nothing else is", arguments: Command.allCases)
  func found(command: Command) {
    #expect(Command(command.name) == command)
    #expect(Command(command.name + "x") == nil && Command("") == nil)
  }

  @Test("each option belongs to a command", arguments: CommandOption.allCases)
  func taken(option: CommandOption) {
    let isGlobal = [.version, .licenses].contains(option)
    #expect(isGlobal || Command.allCases.contains { $0.description.options.contains(option) })
  }

  @Test("the manual page describes every command, and no other")
  func commandsInManual() {
    // Items of lists, such as `.It Cm list Op Ar id ...`; the ones after DESCRIPTION are about other things.
    let description = section("DESCRIPTION")
    var documented: Set<String> = []
    for line in description.split(separator: "\n") where line.hasPrefix(".It Cm ") {
      documented.insert(String(line.split(separator: " ")[2]))
    }
    let listed = Set(Command.allCases.filter { $0.description.scope == .store }.map(\.name))
    #expect(documented == listed)
    for command in Command.allCases where command.description.scope == .standalone {
      #expect(description.contains("\n.Cm \(command.name)\n"), "\(command)")
    }
  }

  @Test("the manual page describes every option, and no other")
  func optionsInManual() {
    var documented: Set<String> = []
    var words = manual.split { $0 == " " || $0 == "\n" }[...]
    while let word = words.popFirst() {
      // `Fl \-no\-wait` is --no-wait, and `Fl jqv` and `Fl c` are letters.
      guard word == "Fl" || word == ".Fl", let name = words.first, name.hasPrefix("\\-") else { continue }
      documented.insert(name.dropFirst(2).replacing("\\-", with: "-").description)
    }
    #expect(documented == Set(CommandOption.allCases.map(\.name)))
  }

  @Test("an option with a letter has it in the manual page", arguments: CommandOption.allCases)
  func letters(option: CommandOption) throws {
    guard let letter = option.description.letter else { return }
    #expect(section("OPTIONS").contains(".It Fl \(letter) , Fl \\-\(option.name)"))
  }

  /// A section of the manual page, by its title.
  private func section(_ title: String) -> String {
    let parts = manual.split(separator: "\n.Sh \(title)\n", maxSplits: 1)
    guard parts.count == 2 else { return "" }
    return String(parts[1].split(separator: "\n.Sh ", maxSplits: 1)[0])
  }
}
