package import PatchFormat
package import Platform

/// Applies a patch from and to local files.
package final class LocalPatchFiles: PatchFiles {
  private let old: File?
  private let new: File
  private let progress: (UInt64) -> Bool

  /// - `old`: nil for a packed component.
  /// - `new`: opened for writing and reading.
  /// - `progress`: called after each write with the size of what is written; false cancels.
  package init(
    old: consuming File?, new: consuming File, progress: @escaping (UInt64) -> Bool = { _ in true }
  ) {
    self.old = old
    self.new = new
    self.progress = progress
  }

  /// Returns when the bytes that were written are durable.
  package func synchronizeData() throws(DeltaError) {
    do throws(Failure) { try new.synchronizeData() } catch { throw .file(error) }
  }

  package func readOld(
    into buffer: inout MutableRawSpan, at offset: UInt64
  ) throws(DeltaError) -> Int {
    switch old {
    case .some(let file):
      do throws(Failure) { return try file.readTwice(into: &buffer, at: offset) } catch {
        throw .file(error)
      }
    case .none: return 0
    }
  }

  package func readNew(
    into buffer: inout MutableRawSpan, at offset: UInt64
  ) throws(DeltaError) -> Int {
    do throws(Failure) { return try new.readTwice(into: &buffer, at: offset) } catch { throw .file(error) }
  }

  package func write(_ bytes: RawSpan, at offset: UInt64) throws(DeltaError) {
    do throws(Failure) { try new.write(bytes, at: offset) } catch { throw .file(error) }
    guard progress(offset + UInt64(bytes.byteCount)) else { throw .cancelled }
  }

  package func reached(_ checkpoint: Checkpoint) {}

  /// Cuts the new file to `size` bytes, and gives back what was reserved beyond them.
  package func release(to size: UInt64) throws(DeltaError) {
    do throws(Failure) { try new.release(to: size) } catch { throw .file(error) }
  }
}
