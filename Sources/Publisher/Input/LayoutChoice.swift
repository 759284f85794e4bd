/// Which layout the names of an input have.
package enum LayoutChoice: Equatable, Sendable {
  /// That of the last release, if it had one.
  case recorded
  /// What names and directories say by themselves.
  case none
  case named(NameLayout)
}
