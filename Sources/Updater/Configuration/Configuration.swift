package import Platform
package import Transport
package import Trust

/// What the device's owner sets (`config/tinyupdater.conf`).
package struct Configuration: Equatable {
  package var root = "/var/lib/tinyupdater"
  /// The base URLs of the repository, without a closing slash, in the order in which they are tried.
  package var mirrors: [String] = []
  /// The base URLs of servers that have files of the repository but no metadata, without a closing slash.
  package var depots: [String] = []
  /// What is asked in place of the repository: a directory, a tar archive, or `-` for standard input.
  package var bundle: String?
  package var memoryBudget: UInt64 = 8 << 20
  package var download = DownloadSettings()
  /// Seconds by which runs with `--spread` begin later, at most.
  package var spread: UInt64 = 0
  /// Bytes that an update leaves free on the file system.
  package var spaceReserve: UInt64 = 4 << 20
  /// Bytes that the store may take on the file system; nil: as many as there are.
  package var storageLimit: UInt64?
  /// What an update may give up where space is low.
  package var lowSpace = LowSpace.dropPrevious
  /// What becomes of packages that a release no longer has.
  package var withdrawn = WithdrawalRule.remove
  /// What becomes of installed packages that the server does not give to this device.
  package var refused = RefusalRule.hold
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
  package var automatic = AutomaticSettings()
  package var area = AreaSettings()
  /// Where the device says how it is; nil: nowhere.
  package var reportURL: String?
  package var trial = TrialSettings()
  /// Where `serve` takes connections.
  package var socket = "/run/org.tinyupdater.Maps"
  /// The group whose members may use the maps through it; nil: only root and the user of the service may.
  package var socketGroup: String?

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
    guard let setting = Setting(rawValue: key) else { return .unknownKey(key) }
    if let flaw = flaw(of: setting, value) { return flaw }
    return setting.take(value, for: &self) ? nil : .badValue(setting, value)
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
