internal import Crypto
internal import Platform
internal import Transport

/// A sink that keeps nothing but a digest.
struct DigestSink: ByteSink, ~Copyable {
  private var hasher: Hasher
  private(set) var count: UInt64 = 0

  init() throws(HasherError) { hasher = try Hasher() }

  mutating func write(_ bytes: RawSpan) throws(Failure) {
    do throws(HasherError) { try hasher.update(bytes) } catch { throw .noMemory }
    count += UInt64(bytes.byteCount)
  }

  mutating func reset() throws(Failure) {
    do throws(HasherError) { hasher = try Hasher() } catch { throw .noMemory }
    count = 0
  }

  mutating func finish() throws(HasherError) -> Digest { try hasher.finish() }
}
