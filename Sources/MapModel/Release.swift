/// A release: all components at one map version.
package struct Release: Equatable {
  /// Rises with every release.
  package let number: UInt64
  /// Shown to people, such as "2024-06-30".
  package let label: String

  package init(number: UInt64, label: String) {
    self.number = number
    self.label = label
  }

  /// Such as "release 4 (2024-06-30)".
  package var text: String { "release \(number) (\(label))" }

  package static func == (a: Release, b: Release) -> Bool {
    a.number == b.number && Identifier.isSame(a.label, b.label)
  }
}
