/// Which packages are there because of the place of the device.
package struct AreaSettings: Equatable {
  /// Those that lie within this distance of it, in metres, or of the route that was given last; nil: none.
  package var radius: UInt64?
  /// Seconds after which they go, once the device is not near them any more.
  package var keep: Int64 = 30 * 86_400

  package init() {}
}
