/// How much a reader accepts of what a publisher writes, and of a language that a user sets.
package enum CatalogLimits {
  /// Bytes of a component's description: a polygon of some 40,000 points.
  package static var description: UInt64 { 1 << 20 }
  /// Bytes of one tag: seventeen attributes of the longest kind fit many times over.
  package static var tag: Int { 64 << 10 }
  /// Bytes of one element's text that are kept.
  package static var text: Int { 1 << 20 }
  /// Levels of elements; the formats use three.
  package static var depth: Int { 8 }
  /// Names of one package: more languages than any map has.
  package static var names: Int { 256 }
  /// Bytes of a language tag or the name of a locale.
  package static var language: Int { 64 }
  /// Rings of one package.
  package static var polygons: Int { 4096 }
  /// Corners of one package that a device keeps, in a mebibyte: three times as many as its description usually has room for.
  package static var corners: Int { 128 << 10 }
  /// Patches of one component: releases back that a publisher serves.
  package static var patches: Int { 64 }
  /// Hops of one component: chains for as many releases before those, at a third of the memory.
  package static var hops: Int { 32 }
  /// Patches of one chain: each of them is an older file that a device writes, reads and throws away.
  package static var chain: Int { 4 }
  /// Packages that others have replaced, counted once for each successor: a device may have to remember all of them.
  package static var replaced: Int { 4096 }
  /// Bytes of a compressed catalog: some million components.
  package static var catalogFile: UInt64 { 256 << 20 }
  /// Levels of parts: enough for some million packages, in documents that list up to a hundred parts.
  package static var partLevels: UInt64 { 3 }
  /// Data groups of a part.
  package static var groups: Int { 256 }
  /// Memory for unpacking a part: its dictionary of at most 256 KiB and the decoder's own state.
  package static var partMemory: UInt64 { 384 << 10 }

  /// Bytes of a whole document, unpacked: as far as a parser on a machine of 32 bits can count.
  package static var document: UInt64 { 2 << 30 - 64 << 10 }
  /// Memory for unpacking a catalog: its dictionary of at most 1 MiB and the decoder's own state.
  package static var catalogMemory: UInt64 { 1536 << 10 }
  /// Bytes of an id, a label or any other attribute.
  package static var attribute: Int { 512 }
}
