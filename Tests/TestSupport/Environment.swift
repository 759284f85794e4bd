internal import Glibc

/// A variable of the environment; nil if it is not set, or empty.
package func environment(_ name: String) -> String? {
  guard let value = getenv(name) else { return nil }
  let text = String(cString: value)
  return text.isEmpty ? nil : text
}
