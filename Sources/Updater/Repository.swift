package import Catalog
internal import Crypto
internal import Platform
internal import Store
internal import Transport

/// A repository, wherever it is served from.
package struct Repository: ~Copyable {
  /// Nil if none is set: then only what needs no network works.
  private let base: String?
  private var client: Client

  /// Opens no connection yet.
  package init(_ configuration: Configuration) throws(UpdateError) {
    self.client = try transporting { () throws(TransportError) in try Client(configuration.transport) }
    base = configuration.repository
  }

  /// Bytes of all bodies so far.
  package var downloaded: UInt64 { client.downloaded }

  /// Asks which release is the newest.
  package mutating func newestRelease(
    _ observer: inout some UpdateObserver
  ) throws(UpdateError) -> ServedRelease {
    let url = try url(Releases.fileName)
    var sink = MemorySink()
    do throws(TransportError) {
      try client.fetch(Request(url, limit: Catalog.Limits.releasesFile), into: &sink, observer: &observer)
    } catch { throw wrapped(error) }
    let bytes = sink.bytes
    let releases = try reading { () throws(CatalogError) in try Releases.read(BytesSource(bytes), path: url) }
    guard let newest = releases.last else { throw .noReleases(url: url) }
    return newest
  }

  /// Fetches a file behind what `part` holds of it, up to exactly `size` bytes.
  mutating func fetch(
    _ path: String, size: UInt64, into part: consuming File, _ observer: inout some UpdateObserver
  ) throws(UpdateError) {
    let url = try url(path)
    var sink: FileSink
    do throws(FileError) { sink = try FileSink(part) } catch { throw .store(.file(error)) }
    do throws(TransportError) {
      try client.fetch(Request(url, size: size), into: &sink, observer: &observer)
    } catch { throw wrapped(error) }
    do throws(FileError) { try sink.close() } catch { throw .store(.file(error)) }
  }

  /// The full URL of a path that a catalog names.
  func url(_ path: String) throws(UpdateError) -> String {
    guard let base else { throw .noRepository }
    return "\(base)/\(path)"
  }

  private func wrapped(_ error: TransportError) -> UpdateError {
    error == .cancelled ? .cancelled : .transport(error)
  }
}
