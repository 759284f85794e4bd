package import Platform
package import Transport
package import Trust

extension Client {
  /// Runs one step of trust's workflow on metadata that lies below `base`.
  ///
  /// The workflow knows only whether a file came, is not there, or failed; why stays here, and is what is thrown.
  package mutating func fetchingMetadata<Result: ~Copyable>(
    below base: String, retries: Int? = nil, observer: inout some TransportObserver,
    _ body: ((String, UInt64) -> Fetched) throws(TrustError) -> Result
  ) throws(Failure) -> Result {
    var last: Failure?
    do throws(TrustError) {
      return try body { file, limit in
        var sink = MemorySink()
        do throws(Failure) {
          var request = Request(base + file, limit: limit)
          request.retries = retries
          try self.fetch(request, into: &sink, observer: &observer)
          return .file(sink.bytes)
        } catch {
          last = error
          return error.isAbsentOnServer ? .absent : .failed
        }
      }
    } catch {
      switch error {
      case .notFetched, .missing: throw last ?? Failure(error, below: base)
      case .file, .busy, .cancelled, .noRoot, .malformed, .mismatched, .unsigned, .wrongVersion, .rolledBack,
        .dropped, .expired, .moreRoots, .unlisted, .overMemory:
        throw Failure(error, below: base)
      }
    }
  }
}
