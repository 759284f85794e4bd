package import MapModel

/// A data group of the known catalog.
package struct KnownGroup: Equatable {
  package let name: DataGroup
  package var isSelected: Bool
  /// Packages that have it.
  package var packages: UInt32 = 0
  /// Bytes of all its components.
  package var size: UInt64 = 0
}
