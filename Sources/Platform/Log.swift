internal import CPlatform

/// Records what happened, to be read later by support.
///
/// One log per process, set once at the start. A log that cannot be written to never stops anything.
package enum Log {
  /// How important a line is; the words are those of the configuration.
  package enum Level: CInt, Equatable {
    case error = 3
    case warning = 4
    case info = 6
    case debug = 7

    package init?(_ word: String) {
      switch word {
      case "error": self = .error
      case "warning": self = .warning
      case "info": self = .info
      case "debug": self = .debug
      default: return nil
      }
    }

    fileprivate var word: String {
      switch self {
      case .error: "error"
      case .warning: "warning"
      case .info: "info"
      case .debug: "debug"
      }
    }
  }

  /// Where lines go.
  package enum Destination: Equatable {
    case standardError
    case syslog
    /// An absolute path.
    case file(String)

    /// Nil if `text` is neither `stderr`, `syslog` nor an absolute path of a file.
    package init?(_ text: String) {
      switch text {
      case "stderr": self = .standardError
      case "syslog": self = .syslog
      default:
        guard text.utf8.first == UInt8(ascii: "/"), text.utf8.last != UInt8(ascii: "/") else { return nil }
        self = .file(text)
      }
    }
  }

  /// Whether the program has written the text of a line to the terminal itself.
  package enum StandardError: Equatable { case written, unwritten }

  /// The settings of the configuration.
  package struct Settings: Equatable {
    package var destination = Destination.standardError
    /// Nil for the default: warnings and errors on standard error, informational lines as well elsewhere.
    package var level: Level?
    /// Bytes of the file before it is renamed to `FILE.1`.
    package var maximumSize: UInt64 = 256 << 10

    package init() {}

    fileprivate var threshold: Level { level ?? (destination == .standardError ? .warning : .info) }
  }

  // Set once by the only thread, before anything is logged.
  nonisolated(unsafe) private static var settings = Settings()
  nonisolated(unsafe) private static var subject = ""

  /// Sets where lines go from now on.
  ///
  /// - `subject`: what the process does, such as "apply"; lines in a file or in syslog begin with it.
  package static func open(_ settings: Settings, subject: String) {
    Log.settings = settings
    Log.subject = subject
  }

  /// Adds a line.
  ///
  /// - `standardError`: whether a log on standard error needs the line.
  package static func add(_ level: Level, text: String, standardError: StandardError = .unwritten) {
    guard level.rawValue <= settings.threshold.rawValue else { return }
    let text = text.escapingControls
    let line = subject.isEmpty ? text : "\(subject): \(text)"
    switch settings.destination {
    case .standardError:
      if standardError == .written { return }
      // A progress bar may be on the line.
      if Terminal.isInteractive(.error) { ProgressBar.erase(from: .error) }
      Terminal.writeLine("tinyupdater: \(text)", to: .error)
    case .syslog: line.withPlatformString { tu_log(level.rawValue, $0) }
    case .file(let path):
      let head = "\(Clock.timestamp(Clock.now)) tinyupdater[\(getpid())] \(level.word): "
      if LogFile(path: path, maximumSize: settings.maximumSize).append(head + line) { return }
      // The file cannot be written: syslog is better than nothing.
      line.withPlatformString { tu_log(level.rawValue, $0) }
    }
  }
}

extension String {
  /// The text with `\x1b`, `\u202e` and the like for what would end a line, command a terminal or turn its text.
  package var escapingControls: String {
    guard unicodeScalars.contains(where: { $0.isControl }) else { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      guard scalar.isControl else {
        text.append(scalar)
        continue
      }
      let escape = scalar.value < 0x100 ? "\\x\(scalar.hex(digits: 2))" : "\\u\(scalar.hex(digits: 4))"
      text.append(contentsOf: escape.unicodeScalars)
    }
    return String(text)
  }

  /// As many whole characters of Unicode from the beginning as fit into `limit` bytes of UTF-8.
  package func cut(to limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var bytes = Array(utf8.prefix(max(limit, 0) + 1))
    // A continuation byte at the end means that the cut would be inside a character.
    while let last = bytes.popLast(), last & 0xc0 == 0x80 {}
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Unicode.Scalar {
  /// The last `digits` hexadecimal digits of its number.
  func hex(digits: Int) -> String {
    let letters = Array("0123456789abcdef".utf8)
    var bytes: [UInt8] = []
    for digit in (0..<digits).reversed() { bytes.append(letters[Int(value >> (UInt32(digit) * 4) & 15)]) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
