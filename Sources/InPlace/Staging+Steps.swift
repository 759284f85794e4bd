internal import Catalog
package import DeltaApply
internal import Platform
package import Store

/// Stored containers, read for an update in place.
extension Staging {
  /// What a container reads of what it is applied to; every byte of it is authenticated on the way.
  ///
  /// - `block`: what the file system can give back at a time, in bytes.
  package func reads(
    of step: PayloadStep, memory: UInt64, block: UInt64, shouldStop: () -> Bool
  ) throws(InPlaceError) -> LastReads {
    let url = step.container.url
    var scan: ReadScan
    do throws(DeltaError) {
      scan = try ReadScan(step.expectation, memoryLimit: memory, block: block)
    } catch { throw .delta(error, url: url) }
    var container = try open(step.container, from: 0)
    while try container.nextPiece(of: step.container) {
      do throws(DeltaError) {
        guard !shouldStop() else { throw .cancelled }
        try scan.consume(container.bytes)
      } catch { throw .delta(error, url: url) }
    }
    do throws(DeltaError) { return try scan.finish() } catch { throw .delta(error, url: url) }
  }

  func open(_ container: Container, from offset: UInt64) throws(InPlaceError) -> ContainerReader {
    do throws(StoreError) {
      return try ContainerReader(container.head, size: container.size, from: offset, in: self)
    } catch {
      if case .file(let cause) = error, cause.errno.isOfAbsence { throw .payloadLost(container) }
      throw InPlaceError(error)
    }
  }
}

extension ContainerReader {
  /// Reads the next piece; a container that storage cannot read is lost.
  mutating func nextPiece(of container: Container) throws(InPlaceError) -> Bool {
    do throws(StoreError) { return try next() } catch {
      if case .file(let cause) = error, cause.errno == .input { throw .payloadLost(container) }
      throw InPlaceError(error)
    }
  }
}

/// Runs `body` and gives its error the shape of this module.
func storing<Result: ~Copyable>(_ body: () throws(StoreError) -> Result) throws(InPlaceError) -> Result {
  do throws(StoreError) { return try body() } catch { throw InPlaceError(error) }
}
