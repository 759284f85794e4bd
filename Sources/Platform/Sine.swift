internal import CPlatform

extension Double {
  /// The sine of an angle in radians (sin(3)).
  package var sine: Double { tu_sine(self) }
}
