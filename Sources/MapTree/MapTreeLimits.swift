/// Bounds of the map tree.
package enum MapTreeLimits {
  /// Regions in memory: three times those of a map with 50,000 packages, and some more.
  package static var regions: Int { 40_000 }
  /// The same in the smallest memory budget.
  package static var fewestRegions: Int { 1000 }
  /// Packages around a place or along a route that are listed at once.
  package static var near: Int { 4096 }
  /// Bytes of memory that two open catalogs take.
  static var openCatalogs: UInt64 { 2 << 20 }
  /// Data groups of all maps together: many times what any map has.
  package static var dataGroups: Int { 256 }
  /// Files that are shown of a package: the manifest has all of them.
  static var files: Int { 64 }
  /// Bytes of intermediate files that a chain of patches may write, in sizes of the new file.
  ///
  /// Flash wears with every write: an update by chain writes at most three times what a full download does, and takes
  /// at most that much longer on the disk. The bytes that it saves on the network cost more, but not without limit.
  static var chainWrites: UInt64 { 2 }
}
