internal import Catalog
internal import Platform
internal import Trust

/// The text of a setting, read as what it may be; nil: it is none of that.
struct SettingValue {
  private let value: String
  private let setting: Setting

  init(_ value: String, of setting: Setting) {
    self.value = value
    self.setting = setting
  }

  var text: String? { value.isEmpty ? nil : value }

  var absolutePath: String? { value.utf8.first == UInt8(ascii: "/") ? value : nil }

  /// One or several, separated by blanks.
  var absolutePaths: [String]? {
    let paths = words
    return !paths.isEmpty && paths.allSatisfy { $0.utf8.first == UInt8(ascii: "/") } ? paths : nil
  }

  /// The same.
  var dayWindows: [DayWindow]? {
    let windows = words.map { DayWindow($0) }
    return !windows.isEmpty && windows.allSatisfy { $0 != nil } ? windows.compactMap { $0 } : nil
  }

  private var words: [String] { value.parts(separatedBy: " ").filter { !$0.isEmpty } }

  var flag: Bool? {
    switch value {
    case "yes": true
    case "no": false
    default: nil
    }
  }

  var expiryRule: ExpiryRule? {
    switch value {
    case "strict": .strict
    case "floor": .floor
    default: nil
    }
  }

  var bytes: UInt64? {
    ByteCount(value).flatMap { $0.bytes >= setting.fewestBytes ? $0.bytes : nil }
  }

  /// A distance such as 50K, in metres.
  var metres: UInt64? {
    Distance.metres(value).flatMap { (1...Corridor.widest).contains($0) ? $0 : nil }
  }

  /// Such as 30d, in seconds.
  var days: Int64? {
    guard value.utf8.last == UInt8(ascii: "d"), let days = Int(ascii: value.utf8.dropLast()),
      (1...3650).contains(days)
    else { return nil }
    return Int64(days) * 86_400
  }

  var integer: Int? {
    Int(ascii: value.utf8).flatMap { setting.numbers.contains($0) ? $0 : nil }
  }

  var number: UInt64? { integer.map { UInt64($0) } }

  /// A text that can stand in a header of a request: printable ASCII, of moderate length.
  var headerText: String? {
    let isText = value.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f }
    return isText && (1...256).contains(value.utf8.count) ? value : nil
  }

  /// `none`, for which libcurl has an empty text, or `http://HOST:PORT`.
  var proxy: String? {
    if value == "none" { return "" }
    return value.utf8.starts(with: "http://".utf8) ? baseURL : nil
  }

  /// A URL of a server, as it is.
  var webURL: String? {
    baseURL != nil && !value.utf8.starts(with: "file:".utf8) ? value : nil
  }

  /// A URL that this program can fetch from, without its closing slashes.
  var baseURL: String? {
    let schemes: [String] = ["https://", "http://", "file://"]
    guard schemes.contains(where: { value.utf8.starts(with: $0.utf8) && value.utf8.count > $0.utf8.count }),
      value.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f })
    else { return nil }
    var bytes = value.utf8[...]
    while bytes.last == UInt8(ascii: "/") { bytes = bytes.dropLast() }
    return String(decoding: Array(bytes), as: UTF8.self)
  }
}
