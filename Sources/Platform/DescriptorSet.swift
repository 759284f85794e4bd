internal import CPlatform

/// Descriptors of which some can be read, behind one descriptor (epoll(7)).
public final class DescriptorSet {
  /// Readable when one of them is, for other programs' `poll`.
  package let raw: CInt

  package init() throws(Failure) { raw = try check("epoll") { tu_set_make() } }

  deinit { _ = close(raw) }

  /// Adds a descriptor under a number; it leaves when it is closed.
  ///
  /// One that is there already stays as it is.
  package func add(_ descriptor: CInt, number: UInt64) throws(Failure) {
    do throws(Failure) { try check("epoll") { tu_set_add(raw, descriptor, number) } } catch {
      guard error.errno == .exists else { throw error }
    }
  }

  /// The number of one that can be read now, in turn; nil if none can.
  package func next() -> UInt64? {
    var number: UInt64 = 0
    return tu_set_next(raw, &number) > 0 ? number : nil
  }
}
