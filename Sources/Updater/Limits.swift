/// Bounds of an update.
package enum Limits {
  /// The smallest budget that the program itself runs in, with TLS and a catalog.
  package static var minimumBudget: UInt64 { 4 << 20 }
  /// What the program needs beside a container: libcurl and TLS, the catalog's decoder, buffers, the stack.
  ///
  /// Measured as the smallest `ulimit -d` under which an update over https passes (`bench/results.md`).
  package static var ownMemory: UInt64 { 3 << 20 }
  /// Ids on one command line.
  package static var identifiers: Int { 256 }
}
