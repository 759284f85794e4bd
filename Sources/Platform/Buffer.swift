/// Memory that is allocated once and reused: the working space of readers and coders.
///
/// Public although only this package uses it, like every noncopyable type with a `deinit` here:
/// Embedded Swift 6.3 cannot destroy a non-public one in another module (docs/decisions/0003).
public struct Buffer: ~Copyable {
  private let memory: UnsafeMutableRawBufferPointer

  /// - Parameter count: bytes; the caller has bounded it.
  package init(count: Int) { memory = .allocate(byteCount: count, alignment: 16) }

  deinit { memory.deallocate() }

  package var count: Int { memory.count }

  /// The bytes, to read.
  package var bytes: RawSpan {
    @_lifetime(borrow self)
    get {
      let span = RawSpan(_unsafeBytes: UnsafeRawBufferPointer(memory))
      return _overrideLifetime(span, borrowing: self)
    }
  }

  /// The bytes, to fill.
  package var mutableBytes: MutableRawSpan {
    @_lifetime(&self)
    mutating get {
      let span = MutableRawSpan(_unsafeBytes: memory)
      return _overrideLifetime(span, mutating: &self)
    }
  }
}
