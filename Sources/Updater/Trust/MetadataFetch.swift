internal import Transport
internal import Trust

extension Client {
  /// Fetches a small file into memory; nil if the server says that there is none.
  mutating func fetchIfPresent(
    _ url: String, upTo limit: UInt64, _ observer: inout some TransportObserver
  ) throws(UpdateError) -> [UInt8]? {
    var sink = MemorySink()
    do throws(TransportError) {
      try fetch(Request(url, limit: limit), into: &sink, observer: &observer)
    } catch {
      if error.isAbsence { return nil }
      throw error == .cancelled ? .cancelled : .transport(error)
    }
    return sink.bytes
  }

  /// Runs one step of trust's workflow on metadata that lies below `base`.
  ///
  /// The workflow knows only that a file could not be fetched; why stays here, and is what is thrown then.
  mutating func fetchingMetadata<Result: ~Copyable>(
    below base: String, _ observer: inout some TransportObserver,
    _ body: ((String, UInt64) -> Fetched) throws(TrustError) -> Result
  ) throws(UpdateError) -> Result {
    var failure: UpdateError?
    do throws(TrustError) {
      return try body { file, limit in
        do throws(UpdateError) {
          let bytes = try self.fetchIfPresent(base + file, upTo: limit, &observer)
          return bytes.map { .file($0) } ?? .absent
        } catch {
          failure = error
          return .failed
        }
      }
    } catch { throw failure ?? .trust(error) }
  }
}
