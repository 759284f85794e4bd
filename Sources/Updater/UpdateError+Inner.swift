package import Catalog
package import DeltaApply
package import Platform
package import Store
package import Transport
package import Trust

/// Errors of other modules, wrapped once, at the call that crosses into this one.
///
/// Each module says "cancelled" in its own words; here it is always `UpdateError.cancelled`.
extension UpdateError {
  package init(_ error: FileError) { self = .store(.file(error)) }

  package init(_ error: StoreError) { self = error == .cancelled ? .cancelled : .store(error) }

  package init(_ error: CatalogError) { self = .catalog(error) }

  package init(_ error: TransportError) { self = error == .cancelled ? .cancelled : .transport(error) }

  /// - `below`: the URL of the directory with the metadata; empty for what is on the device.
  package init(_ error: TrustError, below url: String) {
    self = error == .cancelled ? .cancelled : .trust(error, below: url)
  }

  /// What applying the container at `path` throws.
  package init(_ error: DeltaError, path: String) {
    self =
      switch error {
      case .cancelled: .cancelled
      case .file(let error): .store(.file(error))
      default: .delta(error, path: path)
      }
  }
}

func transporting<Result: ~Copyable>(_ body: () throws(TransportError) -> Result) throws(UpdateError)
  -> Result
{
  do throws(TransportError) { return try body() } catch { throw UpdateError(error) }
}

func trusting<Result: ~Copyable>(_ body: () throws(TrustError) -> Result) throws(UpdateError) -> Result {
  do throws(TrustError) { return try body() } catch { throw UpdateError(error, below: "") }
}

/// A file beside the store.
func onFile<Result: ~Copyable>(_ body: () throws(FileError) -> Result) throws(UpdateError) -> Result {
  do throws(FileError) { return try body() } catch { throw UpdateError(error) }
}

func storing<Result: ~Copyable>(_ body: () throws(StoreError) -> Result) throws(UpdateError) -> Result {
  do throws(StoreError) { return try body() } catch { throw UpdateError(error) }
}
