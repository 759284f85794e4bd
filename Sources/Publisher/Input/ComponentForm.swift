/// The form in which a data file of the input is published.
package enum ComponentForm: String, CaseIterable, Sendable {
  /// It is the component, byte for byte.
  case plain
  /// Its component is a `.dat` file, with a description before the data.
  case dat
}
