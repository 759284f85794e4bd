import Foundation
import TestSupport

/// The publisher's part, as its program prints it.
extension Contract {
  private struct Help: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String
    }

    struct Argument: Decodable {
      let kind: String
      let names: [Name]?
      let valueName: String?
    }

    struct Command: Decodable {
      let commandName: String
      let arguments: [Argument]?
      let subcommands: [Command]?
    }

    let command: Command
  }

  static func publisherCommands() throws -> [String] {
    let folder = Checkout.products ?? "."
    let outcome = try ChildProcess.run("\(folder)/tinypublish", ["--experimental-dump-help"], timeout: 60)
    let help = try JSONDecoder().decode(Help.self, from: Data(outcome.output.utf8))
    return lines(of: help.command, after: "").sorted()
  }

  private static func lines(of command: Help.Command, after parent: String) -> [String] {
    let name = parent + command.commandName
    let arguments = (command.arguments ?? []).map { argument in
      let names = (argument.names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name }.sorted()
      switch argument.kind {
      case "positional": return "<\(argument.valueName ?? "")>"
      case "option": return names.joined(separator: ",") + "=<\(argument.valueName ?? "")>"
      default: return names.joined(separator: ",")
      }
    }
    // The library's own `help` is a command of every program.
    let inner = (command.subcommands ?? []).filter { $0.commandName != "help" }
    return ["command \(name): \(arguments.sorted().joined(separator: " "))"]
      + inner.flatMap { lines(of: $0, after: name + " ") }
  }

  /// Events of `--progress json`.
  static func publisherEvents() throws -> [String] {
    let source = try Source("Sources/TinyPublish/Output/ProgressLines.swift")
    return Set(source.matches(of: /(?:write|count)\("([a-z]+)"/)).sorted()
  }

  static func publisherCodes() throws -> [String] {
    let source = try Source("Sources/TinyPublish/ExitStatus.swift")
    return source.lines.compactMap { line in
      line.firstMatch(of: /^  case ([a-z][A-Za-z]*) = ([0-9]+)$/).map { "exit \($0.2) \($0.1)" }
    }
  }
}
