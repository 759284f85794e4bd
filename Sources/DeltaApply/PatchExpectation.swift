package import Crypto

/// What is known about a patch before its first byte.
package struct PatchExpectation {
  /// The digest of its head and first frame together; nil if it is not known, as for a bare patch.
  package let head: Digest?
  /// In bytes, like the others; nil if it is not known, as for a pipe.
  package let containerSize: UInt64?
  /// 0 for a packed component.
  package let oldSize: UInt64
  /// Nil if only the patch specifies it.
  package let newSize: UInt64?

  package init(head: Digest?, containerSize: UInt64?, oldSize: UInt64, newSize: UInt64?) {
    self.head = head
    self.containerSize = containerSize
    self.oldSize = oldSize
    self.newSize = newSize
  }
}
