internal import Catalog
package import DeltaApply
package import Platform
package import Store

/// Stored containers, read for an update in place.
extension Staging {
  /// What a container reads of what it is applied to; every byte of it is authenticated on the way.
  ///
  /// - `block`: what the file system can give back at a time, in bytes.
  package func reads(
    of step: PayloadStep, memory: UInt64, block: UInt64, shouldStop: () -> Bool
  ) throws(Failure) -> LastReads {
    let url = step.container.url
    var scan: ReadScan
    do throws(DeltaError) {
      scan = try ReadScan(step.expectation, memoryLimit: memory, block: block)
    } catch { throw Failure(error, path: url) }
    var container = try open(step.container, from: 0)
    while try container.nextPiece(of: step.container) {
      do throws(DeltaError) {
        guard !shouldStop() else { throw .cancelled }
        try scan.consume(container.bytes)
      } catch { throw Failure(error, path: url) }
    }
    do throws(DeltaError) { return try scan.finish() } catch { throw Failure(error, path: url) }
  }

  func open(_ container: Container, from offset: UInt64) throws(Failure) -> ContainerReader {
    do throws(Failure) {
      return try ContainerReader(container.head, size: container.size, from: offset, in: self)
    } catch {
      if case .file(let cause) = error, cause.errno.isOfAbsence { throw .payloadLost(url: container.url) }
      throw error
    }
  }
}

extension ContainerReader {
  /// Reads the next piece; a container that storage cannot read is lost.
  mutating func nextPiece(of container: Container) throws(Failure) -> Bool {
    do throws(Failure) { return try next() } catch {
      if case .file(let cause) = error, cause.errno == .input { throw .payloadLost(url: container.url) }
      throw error
    }
  }
}
