package import JSONReading
internal import Platform

/// A method of `org.tinyupdater.Maps`: the command that carries it out, and who may call it.
package enum MapMethod: CaseIterable {
  case getStatus, list, getPackageAt, getPackagesNear, getPolygons, getGroups
  case selectGroups, deselectGroups, check, plan
  case install, uninstall, update, cancel
  case activate, setPosition
  case watch
  case rollback, confirm, repair

  /// Nil if there is no such method.
  package init?(_ name: String) {
    for method in MapMethod.allCases where method.name.utf8.elementsEqual(name.utf8) {
      self = method
      return
    }
    return nil
  }

  package var name: String {
    switch self {
    case .getStatus: "GetStatus"
    case .list: "List"
    case .getPackageAt: "GetPackageAt"
    case .getPackagesNear: "GetPackagesNear"
    case .getPolygons: "GetPolygons"
    case .getGroups: "GetGroups"
    case .selectGroups: "SelectGroups"
    case .deselectGroups: "DeselectGroups"
    case .check: "Check"
    case .plan: "Plan"
    case .install: "Install"
    case .uninstall: "Uninstall"
    case .update: "Update"
    case .cancel: "Cancel"
    case .activate: "Activate"
    case .setPosition: "SetPosition"
    case .watch: "Watch"
    case .rollback: "Rollback"
    case .confirm: "Confirm"
    case .repair: "Repair"
    }
  }

  /// What becomes of it when its client disconnects, and when it replies.
  package enum Kind: Equatable {
    /// Ends with its client.
    case question
    /// Ends with its client, and never by itself.
    case stream
    /// Continues without its client.
    case change
    /// The same, and is an operation of the queue: its number is an answer.
    case operation
  }

  package var kind: Kind {
    switch self {
    case .getStatus, .list, .getPackageAt, .getPackagesNear, .getPolygons, .getGroups, .check,
      .plan:
      .question
    case .watch: .stream
    case .selectGroups, .deselectGroups, .cancel, .activate, .setPosition, .rollback, .confirm: .change
    case .install, .uninstall, .update, .repair: .operation
    }
  }

  /// It answers with names of regions and packages, and takes the language of these.
  package var hasLanguage: Bool {
    switch self {
    case .list, .getPackageAt, .getPackagesNear, .watch: true
    default: false
    }
  }

  /// Only root, and the user of the service, may call it: what a technician does, not a user.
  package var isReserved: Bool {
    switch self {
    case .rollback, .confirm, .repair: true
    default: false
    }
  }

  /// Members of a `result` without enough space, which the error `Failed` has as well.
  package static var figuresOfSpace: [String] { ["needed", "available", "neededFiles", "availableFiles"] }

  /// The name of a parameter that is missing, or is not what it must be.
  package struct InvalidParameter: Error, Equatable {
    package let name: String
  }

  /// The words of the command line, without the common options.
  package func words(_ parameters: JSONValue?) throws(InvalidParameter) -> [String] {
    let given = MethodParameters(parameters)
    switch self {
    case .getStatus, .getGroups, .check, .plan, .activate, .rollback, .confirm, .repair: return command
    case .update: return try command + (given.flag("stage") ? ["--stage"] : [])
    case .list:
      let composite = try given.flag("composite") ? ["--composite"] : []
      return try command + ["--tree"] + composite + language(given) + ["--"] + given.namesIfAny("ids")
    case .getPackageAt:
      return try command + language(given) + place(given)
    case .getPackagesNear:
      return try command + ["--radius=\(given.number("radius"))"] + language(given) + place(given)
    case .setPosition: return try command + place(given)
    case .selectGroups, .deselectGroups: return try command + ["--"] + given.names("groups")
    case .install, .uninstall, .getPolygons: return try command + ["--"] + given.names("ids")
    case .cancel:
      let operation = try given.numberIfAny("operation").map { ["--operation=\($0)"] } ?? []
      return try command + operation + ["--"] + given.namesIfAny("ids")
    case .watch: return try command + language(given)
    }
  }

  /// Whether words can be those of this method: its command, no option but its own, and then operands, if any.
  package func mayHave(_ words: [String]) -> Bool {
    guard words.starts(with: command) else { return false }
    for word in words.dropFirst(command.count) {
      if word == "--" { return true }
      let isOwn = options.contains { option in
        option.utf8.last == UInt8(ascii: "=") ? word.utf8.starts(with: option.utf8) : word == option
      }
      guard isOwn else { return false }
    }
    return true
  }

  /// The words that name the command.
  private var command: [String] {
    switch self {
    case .getStatus: ["status"]
    case .list: ["list"]
    case .getPackageAt: ["at"]
    case .getPackagesNear: ["near"]
    case .getPolygons: ["polygons"]
    case .getGroups: ["groups"]
    case .selectGroups: ["groups", "select"]
    case .deselectGroups: ["groups", "deselect"]
    case .check: ["check"]
    case .plan: ["plan"]
    case .install: ["install"]
    case .uninstall: ["uninstall"]
    case .update: ["apply"]
    case .cancel: ["cancel"]
    case .activate: ["activate"]
    case .setPosition: ["position"]
    case .watch: ["watch"]
    case .rollback: ["rollback"]
    case .confirm: ["confirm"]
    case .repair: ["repair"]
    }
  }

  /// The options that it may have; after those that end with an equals sign, any value.
  private var options: [String] {
    switch self {
    case .list: ["--tree", "--composite", "--lang="]
    case .getPackageAt, .watch: ["--lang="]
    case .getPackagesNear: ["--radius=", "--lang="]
    case .update: ["--stage"]
    case .cancel: ["--operation="]
    default: []
    }
  }

  private func place(_ given: MethodParameters) throws(InvalidParameter) -> [String] {
    ["--", try given.number("latitude"), try given.number("longitude")]
  }

  private func language(_ given: MethodParameters) throws(InvalidParameter) -> [String] {
    guard let language = try given.textIfAny("language") else { return [] }
    return ["--lang=\(language)"]
  }
}

/// The parameters of a call, of the types that the interface gives them.
private struct MethodParameters {
  private let object: JSONValue?

  init(_ object: JSONValue?) { self.object = object }

  private func member(_ name: String) -> JSONValue? {
    guard let value = object?.member(name), value.kind != .null else { return nil }
    return value
  }

  /// False if it is missing.
  func flag(_ name: String) throws(MapMethod.InvalidParameter) -> Bool {
    guard let value = member(name) else { return false }
    guard let flag = value.flag else { throw MapMethod.InvalidParameter(name: name) }
    return flag
  }

  func textIfAny(_ name: String) throws(MapMethod.InvalidParameter) -> String? {
    guard let value = member(name) else { return nil }
    guard let text = value.text else { throw MapMethod.InvalidParameter(name: name) }
    return text
  }

  /// A number as it is written.
  func number(_ name: String) throws(MapMethod.InvalidParameter) -> String {
    guard let number = try numberIfAny(name) else { throw MapMethod.InvalidParameter(name: name) }
    return number
  }

  func numberIfAny(_ name: String) throws(MapMethod.InvalidParameter) -> String? {
    guard let value = member(name) else { return nil }
    guard let number = value.number else { throw MapMethod.InvalidParameter(name: name) }
    return number
  }

  func namesIfAny(_ name: String) throws(MapMethod.InvalidParameter) -> [String] {
    member(name) == nil ? [] : try names(name)
  }

  func names(_ name: String) throws(MapMethod.InvalidParameter) -> [String] {
    guard let list = member(name), list.kind == .array else { throw MapMethod.InvalidParameter(name: name) }
    var names: [String] = []
    try list.forEachElement { (element) throws(MapMethod.InvalidParameter) in
      guard let text = element.text else { throw MapMethod.InvalidParameter(name: name) }
      names.append(text)
    }
    return names
  }
}
