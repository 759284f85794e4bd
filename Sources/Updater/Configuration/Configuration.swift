package import Platform
package import Transport
package import Trust

/// What the device's owner sets (`config/tinyupdater.conf`).
package struct Configuration: Equatable {
  package var root = "/var/lib/tinyupdater"
  /// The base URLs of the repository, without a closing slash, in the order in which they are tried.
  package var mirrors: [String] = []
  /// What is asked in place of the repository: a directory, a tar archive, or `-` for standard input.
  package var bundle: String?
  package var memoryBudget: UInt64 = 8 << 20
  package var download = DownloadSettings()
  /// Seconds by which runs with `--spread` begin later, at most.
  package var spread: UInt64 = 0
  /// Bytes that an update leaves free on the file system.
  package var spaceReserve: UInt64 = 4 << 20
  /// What an update may give up where space is low.
  package var lowSpace = LowSpace.dropPrevious
  /// What becomes of packages that a release no longer has.
  package var withdrawn = WithdrawalRule.remove
  package var transport = TransportSettings()
  /// The root that came with the device: where trust in the publisher begins.
  package var trustedRoot = "/usr/share/tinyupdater/root.json"
  package var expiry = ExpiryRule.strict
  package var log = Log.Settings()
  package var index = IndexSettings()
  /// No connection is ever opened.
  package var isOffline = false
  /// The version of the application that reads the maps; nil: it reads everything.
  package var applicationVersion: UInt64?
  /// The maps that came with the device: a repository, or a part of one (`docs/device.md`, The base map).
  package var base = "/usr/share/tinyupdater/base"
  package var atBoot = BootRule.check
  package var trial = TrialSettings()

  package init() {}

  /// There is a file to read.
  package static func exists(_ path: String) throws(ConfigurationError) -> Bool {
    do throws(Failure) { try File(opening: path).close() } catch {
      if error.errno == .noEntry { return false }
      throw .file(error)
    }
    return true
  }

  /// Where the program looks when no file is named.
  package static var defaultPath: String { "/etc/tinyupdater.conf" }

  /// Reads a file of `key = value` lines over the defaults.
  package static func read(_ path: String) throws(ConfigurationError) -> Configuration {
    var configuration = Configuration()
    var lines: LineReader
    do throws(Failure) {
      lines = LineReader(try File(opening: path), limit: UpdateLimits.configurationLine)
    } catch { throw .file(error) }
    while true {
      let line: LineReader.Line?
      do throws(Failure) { line = try lines.next() } catch { throw .file(error) }
      guard let line else { return configuration }
      // The last line may lack its line feed; any other that is not whole exceeds the limit.
      if !line.isWhole && line.bytes.count >= UpdateLimits.configurationLine {
        throw .line(path: path, line: lines.number, .tooLong)
      }
      if let flaw = configuration.take(line.text.trimmed) {
        throw .line(path: path, line: lines.number, flaw)
      }
    }
  }

  /// Takes one line: a setting, a comment after `#`, or nothing.
  ///
  /// The flaw if it is none of these.
  private mutating func take(_ line: String) -> ConfigurationFlaw? {
    if line.isEmpty || line.utf8.first == UInt8(ascii: "#") { return nil }
    if line.utf8.first == UInt8(ascii: "[") { return .section(line) }
    let parts = line.parts(separatedBy: "=", limit: 2)
    guard parts.count == 2 else { return .syntax }
    return set(parts[0].trimmed, to: parts[1].trimmed)
  }

  /// Takes one setting; the flaw if it is not one.
  package mutating func set(_ key: String, to value: String) -> ConfigurationFlaw? {
    if let flaw = flaw(of: key, value) { return flaw }
    let isValid =
      switch key {
      case "root": assign(value.isEmpty ? nil : value) { $0.root = $1 }
      case "memory_budget":
        assign(ByteCount(value)?.bytes, where: { $0 >= UpdateLimits.minimumBudget }) { $0.memoryBudget = $1 }
      case "space_reserve": assign(ByteCount(value)?.bytes) { $0.spaceReserve = $1 }
      case "low_space": assign(LowSpace(word: value)) { $0.lowSpace = $1 }
      case "withdrawn": assign(WithdrawalRule(word: value)) { $0.withdrawn = $1 }
      case "trusted_root": assign(value.isEmpty ? nil : value) { $0.trustedRoot = $1 }
      case "expiry": assign(Configuration.expiryRule(value)) { $0.expiry = $1 }
      case "application_version": assign(UInt64(ascii: value.utf8)) { $0.applicationVersion = $1 }
      case "base": assign(value.isEmpty ? nil : value) { $0.base = $1 }
      case "at_boot": assign(BootRule(word: value)) { $0.atBoot = $1 }
      case "log": assign(Log.Destination(value)) { $0.log.destination = $1 }
      case "log_level": assign(Log.Level(value)) { $0.log.level = $1 }
      case "log_size":
        assign(ByteCount(value)?.bytes, where: { $0 >= UpdateLimits.minimumLog }) { $0.log.maximumSize = $1 }
      case "index_command": assign(Configuration.absolutePath(value)) { $0.index.command = $1 }
      case "index_memory":
        assign(ByteCount(value)?.bytes, where: { $0 >= UpdateLimits.minimumIndexMemory }) {
          $0.index.memory = $1
        }
      case "index_time": assign(number(value, from: 1, upTo: 604_800)) { $0.index.seconds = UInt64($1) }
      case "trial": assign(Configuration.flag(value)) { $0.trial.isOn = $1 }
      case "trial_boots": assign(number(value, from: 1, upTo: 1000)) { $0.trial.starts = UInt64($1) }
      case "health_command": assign(Configuration.absolutePath(value)) { $0.trial.health.command = $1 }
      case "health_memory":
        assign(ByteCount(value)?.bytes, where: { $0 >= UpdateLimits.minimumIndexMemory }) {
          $0.trial.health.memory = $1
        }
      case "health_time":
        assign(number(value, from: 1, upTo: 3600)) { $0.trial.health.seconds = UInt64($1) }
      default: setNetwork(key, to: value)
      }
    guard let isValid else { return .unknownKey(key) }
    return isValid ? nil : .badValue(key: key, value: value)
  }

  /// True if there is a value; an optional so that `set` can tell an unknown key from it.
  mutating func assign<Value>(
    _ value: Value?, where isValid: (Value) -> Bool = { _ in true },
    _ store: (inout Configuration, Value) -> Void
  ) -> Bool? {
    guard let value, isValid(value) else { return false }
    store(&self, value)
    return true
  }

  func number(_ text: String, from least: Int = 0, upTo limit: Int) -> Int? {
    guard let number = Int(ascii: text.utf8), (least...limit).contains(number) else { return nil }
    return number
  }

  static func absolutePath(_ text: String) -> String? {
    text.utf8.first == UInt8(ascii: "/") ? text : nil
  }

  static func flag(_ word: String) -> Bool? {
    switch word {
    case "yes": true
    case "no": false
    default: nil
    }
  }

  private static func expiryRule(_ word: String) -> ExpiryRule? {
    switch word {
    case "strict": .strict
    case "floor": .floor
    default: nil
    }
  }
}

extension Configuration {
  /// Bytes of the memory budget that the program itself does not need.
  package var containerMemory: UInt64 { memoryBudget - min(memoryBudget, UpdateLimits.ownMemory) }

  /// Puts the memory budget in force; a limit of the calling process can make it smaller.
  package mutating func enforceMemoryBudget(atLeast minimum: UInt64 = UpdateLimits.minimumBudget)
    throws(Failure)
  {
    do throws(Errno) { memoryBudget = try MemoryBudget.enforce(bytes: memoryBudget) } catch {
      throw .configuration(sentence: ConfigurationError.budget(error).sentence)
    }
    guard memoryBudget >= minimum else {
      throw .budgetTooSmall(memoryBudget, needed: UpdateLimits.minimumBudget)
    }
  }
}
