/// How much of a JSON text is accepted: one place, each figure with its reason.
package enum JSONLimits {
  /// Levels of arrays and objects; signed metadata uses seven.
  package static var depth: Int { 64 }
  /// Bytes that one text may take in memory: itself, its canonical form, and where its values are.
  ///
  /// At most two of signed metadata are in memory at a time, such as the snapshots before and after. The bound is for each
  /// of them, so that what is accepted now never keeps its successor out. Targets with some 2500 catalogs fit.
  package static var document: Int { 3 << 19 }
}
