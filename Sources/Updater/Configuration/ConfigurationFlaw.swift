/// What is wrong with a line of a configuration.
package enum ConfigurationFlaw: Equatable {
  case syntax
  case tooLong
  case section(String)
  case unknownKey(String)
  case badValue(key: String, value: String)

  package var sentence: String {
    switch self {
    case .syntax: "this is not a \"key = value\" line"
    case .tooLong: "the line has more than \(UpdateLimits.configurationLine) bytes"
    case .section(let name): "there are no sections, such as \(name)"
    case .unknownKey(let key): "\"\(key)\" is not a setting; see tinyupdater.conf(5)"
    case .badValue(let key, let value): "\"\(value)\" is not a value for \(key)"
    }
  }
}
