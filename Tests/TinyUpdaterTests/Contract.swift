import Foundation
import Platform
import TestSupport

@testable import TinyUpdater
@testable import Updater

/// What scripts, services and other programs rely on, as the programs and sources have it: one fact per line.
///
/// `docs/contract.md` says what may change. `make contract` records the text in `contract.txt`.
enum Contract {
  static func text() throws -> String {
    let sections: [(title: String, facts: [String])] = [
      ("Exit codes of tinyupdater", ResultCode.allCases.map { "exit \($0.rawValue) \($0.name)" }),
      ("Commands and options of tinyupdater", commands()),
      ("Exit codes of tinypublish", try publisherCodes()),
      ("Commands and options of tinypublish", try publisherCommands()),
      ("Settings", settings().map { "setting \($0)" }),
      ("Events", try events().map { "event \($0)" }),
      ("Lines of progress of tinypublish", try publisherEvents().map { "event tinypublish \($0)" }),
      ("Members of JSON objects, by event or by the type that writes them", try members()),
      ("Files of the store, and words of their lines", try storeFiles().map { "store \($0)" }),
      ("Functions, results and events of libtinyupdater", try libraryNames()),
      ("Units, scripts and examples", try installedFiles().map { "file \($0)" }),
    ]
    return "# docs/contract.md says what this is; `make contract` writes it.\n"
      + sections.map { "\n# \($0.title)\n" + $0.facts.map { "\($0)\n" }.joined() }.joined()
  }

  // MARK: - Tables of the device's program

  static func commands() -> [String] {
    var lines = CommandOption.allCases.map { "option \($0.description.usage.trimmingPrefix { $0 == " " })" }
      .sorted()
    for command in Command.allCases.sorted(by: { $0.name < $1.name }) {
      let options = command.description.options.map { "--\($0.name)" }.sorted()
      lines.append("command \(command.description.usage): \(options.joined(separator: " "))")
    }
    return lines
  }

  static func settings() -> [String] { Setting.allCases.map { $0.rawValue }.sorted() }

  // MARK: - Sources

  private static let writers = ["Updater", "TinyUpdater"]

  /// Names that `UpdateEvent.name` returns, and that commands print.
  static func events() throws -> [String] {
    var names: Set<String> = []
    for source in try Source.all(in: writers) {
      names.formUnion(source.matches(of: /emit\("([a-z-]+)"/))
      names.formUnion(source.matches(of: /add\("event", .*"([a-z]+)" : "[a-z]+"\)/))
      names.formUnion(source.matches(of: /add\("event", .*"[a-z]+" : "([a-z]+)"\)/))
      guard source.path.hasSuffix("/UpdateEvent+JSON.swift") else { continue }
      let property = source.lines.drop { !$0.contains("var name: String") }.prefix { $0 != "  }" }
      names.formUnion(property.compactMap { $0.firstMatch(of: /: "([a-z-]+)"$/).map { String($0.1) } })
    }
    return names.sorted()
  }

  /// Names of members, grouped by the event or type, and by the case of it.
  static func members() throws -> [String] {
    var groups: [String: Set<String>] = [:]
    for source in try Source.all(in: writers) {
      var (type, event, label) = ("", "", "")
      var isCall = false
      for line in source.lines {
        if let match = line.firstMatch(of: /^[a-z ]*(?:extension|struct|enum|class) ([A-Za-z.]+)/) {
          (type, event, label) = (String(match.1), "", "")
        }
        if line == "  }" { (event, label) = ("", "") }
        if let match = line.firstMatch(of: /emit\("([a-z-]+)"/) { (event, label) = (String(match.1), "") }
        if let match = line.firstMatch(of: /^ +case \.([A-Za-z]+)/) { label = ".\(match.1)" }
        var names = line.matches(of: /[ .]add\("([A-Za-z0-9]+)"/).map { String($0.1) }
        // The name of a longer value has a line of its own.
        if isCall, let match = line.firstMatch(of: /^ +"([A-Za-z0-9]+)",/) { names.append(String(match.1)) }
        isCall = line.hasSuffix(".add(")
        if names.isEmpty { continue }
        let group = event.isEmpty ? type + label : event
        groups["tinyupdater \(group)", default: []].formUnion(names)
      }
    }
    for source in try Source.all(in: ["TinyPublish", "Reporting/Report"]) {
      for (type, names) in codedMembers(of: source) {
        groups["tinypublish \(type)", default: []].formUnion(names)
      }
    }
    return groups.sorted { $0.key < $1.key }.map {
      "json \($0.key): \($0.value.sorted().joined(separator: " "))"
    }
  }

  /// The stored properties of each structure that is written by its conformance to `Encodable`, by its full name.
  static func codedMembers(of source: Source) -> [(type: String, names: [String])] {
    let property =
      /^( *)(?:(?:package|private|private\(set\)) )*(?:let|var) `?([A-Za-z0-9]+)`?(?::| =)[^{]*$/
    var found: [(type: String, names: [String])] = []
    // The types around a line: how far they are indented, and where their names are.
    var open: [(indent: Substring, type: Substring, place: Int?)] = []
    for line in source.lines {
      if let match = line.firstMatch(of: /^( *)(?:[a-z]+ )*(extension|struct|enum|class) ([A-Za-z.]+)(.*){$/)
      {
        let isCoded = match.2 == "struct" && match.4.contains(/Encodable|Codable|Counting/)
        open.append((match.1, match.3, isCoded ? found.count : nil))
        if isCoded { found.append((open.map(\.type).joined(separator: "."), [])) }
      } else if let (indent, _, _) = open.last, line == indent + "}" {
        open.removeLast()
      } else if let (indent, _, place) = open.last, let place,
        let match = line.firstMatch(of: property), match.1 == indent + "  "
      {
        found[place].names.append(String(match.2))
      }
    }
    return found.filter { !$0.names.isEmpty }
  }

  /// Paths, and words of lines, in `docs/format/store.md` whose last part the sources have as a literal.
  ///
  /// A name that changes in the sources alone, in the document alone, or in both, changes the list.
  static func storeFiles() throws -> [String] {
    let modules = ["MapModel", "Store", "Trust", "Updater"]
    let literals = Set(
      try Source.all(in: modules).flatMap { $0.matches(of: /"(?:\\\([^"]*\))?\.?([a-z][a-z.-]*)"/) })
    var found: Set<String> = []
    for line in try Source("docs/format/store.md").lines {
      let cell = line.hasPrefix("| `") ? line.split(separator: "|")[0] : line[...]
      for match in cell.matches(of: /`([A-Za-z.\/…]+)`/) {
        let path = String(match.1)
        guard line.hasPrefix("| `") || path.contains("/") else { continue }
        let last = path.split(separator: "/").last { $0.contains { $0.isLowercase } }.map(String.init) ?? path
        let name = last.drop { $0.isUppercase || $0 == "." }.replacing(".…", with: "")
        if literals.contains(String(name)) { found.insert(path) }
      }
    }
    return found.sorted()
  }

  /// What a program in C is compiled with: functions, and the numbers of constants.
  static func libraryNames() throws -> [String] {
    var names: [String] = []
    var next = 0
    for line in try Source("Sources/CTinyUpdater/tinyupdater.h").lines {
      if line.hasPrefix("enum "), line.contains("{") { next = 0 }
      for match in line.matches(of: /\b(TU_[A-Z_]+)(?: = ([0-9]+))?(?=[,} \/]|$)/)
      where line.first == " " || line.contains("{ TU_") {
        next = match.2.flatMap { Int($0) } ?? next
        names.append("constant \(match.1) \(next)")
        next += 1
      }
      for match in line.matches(of: /^[a-z].*\b\*?(tu_[a-z_]+)\(.*\);/) {
        names.append("function \(match.1)")
      }
    }
    return names.sorted()
  }

  static func installedFiles() throws -> [String] {
    try Source.names(in: "config").filter { !$0.hasSuffix("~") }
  }
}
