internal import Catalog
internal import MapModel
internal import Platform
internal import Updater

/// A command line that names a command and only options that the command takes.
struct Invocation {
  let command: Command
  /// The operands after the command.
  let operands: [String]
  private let line: Arguments

  init(_ line: Arguments) throws(UsageError) {
    guard let word = line.operands.first else { throw UsageError("a command is missing", command: nil) }
    guard let command = Command(word) else {
      let hint = Command.meant(by: word).map { "; did you mean \($0.name)?" } ?? ""
      throw UsageError("\"\(word)\" is not a command\(hint)", command: nil)
    }
    let accepted = command.description.options
    for option in line.options
    where !accepted.contains(where: { $0.name.utf8.elementsEqual(option.name.utf8) }) {
      throw UsageError("\(command.name) does not take --\(option.name)", command: command)
    }
    self.command = command
    operands = Array(line.operands.dropFirst())
    self.line = line
  }

  func has(_ option: CommandOption) -> Bool { line.has(option.name) }

  /// The last value of an option; nil if the option is not given.
  func value(of option: CommandOption) -> String? { line.value(of: option.name) }

  /// The error for operands or a value that the command does not accept.
  func error(_ sentence: String) -> UsageError { UsageError(sentence, command: command) }

  /// Refuses operands.
  func takeNoOperands() throws(UsageError) {
    guard operands.isEmpty else { throw error("\(command.name) takes no operands") }
  }

  /// The operands as a latitude and a longitude.
  func takePoint() throws(UsageError) -> Point {
    guard operands.count == 2, let latitude = Degrees(operands[0]), let longitude = Degrees(operands[1]),
      let point = Point(latitude: latitude, longitude: longitude)
    else {
      throw error(
        "\(command.name) needs a latitude from -90 to 90 and a longitude from -180 to 180 in degrees, such as 35.9 14.4"
      )
    }
    return point
  }

  /// The value of an option as a distance in metres, such as 500 or 50K.
  func distance(_ option: CommandOption) throws(UsageError) -> UInt64 {
    guard let text = value(of: option) else {
      throw error("\(command.name) needs --\(option.name), such as 50K")
    }
    guard let metres = Distance.metres(text) else {
      throw error("\"\(text)\" is not a distance in metres, such as 500 or 50K")
    }
    guard metres <= Corridor.widest else {
      throw error("--\(option.name) is at most \(Corridor.widest / 1000)K")
    }
    return metres
  }

  /// The operands as ids of packages and regions; none if the command allows that.
  func takeIDs() throws(UsageError) -> [PackageID] {
    guard operands.count <= UpdateLimits.identifiers else {
      throw error("\(command.name) takes at most \(UpdateLimits.identifiers) ids")
    }
    var ids: [PackageID] = []
    for word in operands {
      guard let id = PackageID(word) else {
        throw error("\"\(word)\" is not a valid id of a package or region")
      }
      ids.append(id)
    }
    if operands.isEmpty && command.description.operands == .requiredIDs {
      throw error("\(command.name) needs the id of a package or region")
    }
    return ids
  }
}
