/// What becomes of a data file of the input.
package enum ComponentForm: String, CaseIterable, Sendable {
  /// It is the component, byte for byte.
  case plain
  /// Its component is a `.dat` file, with a description before the data.
  case dat
}
