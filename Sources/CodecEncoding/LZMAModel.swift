/// Parameters of LZMA's probability model; the words are those of xz(1).
package struct LZMAModel: Equatable, Sendable {
  /// Bits of the previous byte that choose how a literal is coded.
  package let literalContext: UInt32
  /// Low bits of the position that choose how a literal is coded.
  package let literalPosition: UInt32
  /// Low bits of the position that choose everything else.
  package let position: UInt32

  package init(lc literalContext: UInt32, lp literalPosition: UInt32, pb position: UInt32) {
    self.literalContext = literalContext
    self.literalPosition = literalPosition
    self.position = position
  }
}
