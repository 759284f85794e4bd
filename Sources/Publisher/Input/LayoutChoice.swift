/// The layout of the names of an input.
package enum LayoutChoice: Equatable, Sendable {
  /// The layout of the last release, if it had one.
  case recorded
  /// No layout: ids follow from directories and names.
  case none
  case named(NameLayout)
}
