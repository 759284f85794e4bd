/// What is wrong with a line of a configuration.
package indirect enum ConfigurationFlaw: Equatable {
  case syntax
  case tooLong
  case section(String)
  case unknownKey(String)
  /// A password in a URL.
  case secret(key: String)
  case tooManyMirrors(key: String)
  case badValue(Setting, String)

  package var sentence: String {
    switch self {
    case .syntax: "this is not a \"key = value\" line"
    case .tooLong: "the line has more than \(UpdateLimits.configurationLine) bytes"
    case .section(let name): "there are no sections, such as \(name)"
    case .unknownKey(let key): "\"\(key)\" is not a setting; see tinyupdater.conf(5)"
    case .secret(let key):
      "a password does not belong into the URL of \(key), which is logged: set authorization, see tinyupdater.conf(5)"
    case .tooManyMirrors(let key): "there are more than \(UpdateLimits.mirrors) lines of \(key)"
    case .badValue(.repository, let path) where path.utf8.first == UInt8(ascii: "/"):
      "\"\(path)\" is a path; write \(Configuration.url(ofPath: path))"
    case .badValue(let setting, let value):
      "\"\(value)\" is not a value for \(setting.rawValue): write \(setting.form)"
    }
  }
}
