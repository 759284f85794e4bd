package import Archive
package import Catalog
package import DeltaApply
package import InPlace
package import MapTree
package import Platform
package import Store
package import Transport
package import Trust

/// Errors of other modules, wrapped once, at the call that crosses into this one.
///
/// Each module says "cancelled" in its own words; here it is always `UpdateError.cancelled`.
extension UpdateError {
  package init(_ error: FileError) { self = .store(.file(error)) }

  /// An error of what takes space and writes nothing.
  init(reserving error: FileError) {
    self = error.errno.isOutOfSpace ? .noRoom(error) : UpdateError(error)
  }

  package init(_ error: StoreError) { self = error == .cancelled ? .cancelled : .store(error) }

  package init(_ error: CatalogError) { self = .catalog(error) }

  package init(_ error: MapTreeError) {
    self =
      switch error {
      case .cancelled: .cancelled
      case .catalog(let error): UpdateError(error)
      case .store(let error): UpdateError(error)
      case .wrongRelease, .lostPart, .unknownPackages, .tooManyRegions, .tooManyGroups, .unknownGroups,
        .fixedGroup:
        .tree(error)
      }
  }

  package init(_ error: ArchiveError) { self = error == .cancelled ? .cancelled : .archive(error) }

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
      case .notAPatch, .badHead, .wrongHead, .wrongOldFile, .overMemory, .truncated, .trailingBytes,
        .wrongFrame, .badFrame, .badSection, .badBlock, .outsideSource, .wrongResult, .codec, .hashing:
        .delta(error, path: path)
      }
  }
}

extension UpdateError {
  /// What an update in place throws; one that only a component is lost by does not get here.
  ///
  /// - `shown`: gives the name of a file in the repository as messages show it.
  package init(_ error: InPlaceError, shown: (String) -> String = { $0 }) {
    self =
      switch error {
      case .store(let error): UpdateError(error)
      case .delta(let error, let url): UpdateError(error, path: shown(url))
      case .damagedJournal(let path): .store(.badManifest(path: path, line: 0))
      case .payloadLost(let container): .wrongDigest(url: shown(container?.url ?? ""))
      case .unusable(let container): .wrongDigest(url: shown(container.url))
      case .baseLost: .damaged(count: 1)
      }
  }
}

// Each of these carries out one call into another module. Where several calls belong together,
// `do throws(StoreError) { … } catch { throw UpdateError(error) }` does the same.

package func wrap<Result: ~Copyable>(
  transport body: @autoclosure () throws(TransportError) -> Result
) throws(UpdateError) -> Result {
  do throws(TransportError) { return try body() } catch { throw UpdateError(error) }
}

/// For metadata on the device; that of a repository has a URL (`Client.fetchingMetadata`).
package func wrap<Result: ~Copyable>(
  trust body: @autoclosure () throws(TrustError) -> Result
) throws(UpdateError) -> Result {
  do throws(TrustError) { return try body() } catch { throw UpdateError(error, below: "") }
}

/// For files outside the store.
package func wrap<Result: ~Copyable>(
  file body: @autoclosure () throws(FileError) -> Result
) throws(UpdateError) -> Result {
  do throws(FileError) { return try body() } catch { throw UpdateError(error) }
}

package func wrap<Result: ~Copyable>(
  store body: @autoclosure () throws(StoreError) -> Result
) throws(UpdateError) -> Result {
  do throws(StoreError) { return try body() } catch { throw UpdateError(error) }
}

package func wrap<Result: ~Copyable>(
  inPlace body: @autoclosure () throws(InPlaceError) -> Result
) throws(UpdateError) -> Result {
  do throws(InPlaceError) { return try body() } catch { throw UpdateError(error) }
}

package func wrap<Result: ~Copyable>(
  catalog body: @autoclosure () throws(CatalogError) -> Result
) throws(UpdateError) -> Result {
  do throws(CatalogError) { return try body() } catch { throw UpdateError(error) }
}

package func wrap<Result: ~Copyable>(
  tree body: @autoclosure () throws(MapTreeError) -> Result
) throws(UpdateError) -> Result {
  do throws(MapTreeError) { return try body() } catch { throw UpdateError(error) }
}

package func wrap<Result: ~Copyable>(
  delta body: @autoclosure () throws(DeltaError) -> Result, path: String
) throws(UpdateError) -> Result {
  do throws(DeltaError) { return try body() } catch { throw UpdateError(error, path: path) }
}
