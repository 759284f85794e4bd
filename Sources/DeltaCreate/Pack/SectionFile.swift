internal import Platform

/// Compressed sections in a file without a name, which disappears when it is closed.
final class SectionFile {
  private let file: File
  private var size: UInt64 = 0

  /// Creates it in a directory that has room for a patch.
  init(in directory: String) throws(DeltaCreateError) {
    do throws(Failure) { file = try File(unnamedIn: Directory(opening: directory)) } catch {
      throw .file(error)
    }
  }

  /// Returns where the bytes begin.
  func append(_ bytes: [UInt8]) throws(DeltaCreateError) -> UInt64 {
    let offset = size
    do throws(Failure) { try file.write(bytes.span.bytes, at: offset) } catch { throw .file(error) }
    size += UInt64(bytes.count)
    return offset
  }

  /// The bytes from an offset on.
  func read(_ count: Int, at offset: UInt64) throws(DeltaCreateError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    do throws(Failure) {
      var span = bytes.mutableSpan
      var space = span.mutableBytes
      guard try file.read(into: &space, at: offset) == count else {
        throw Failure(.invalid, path: file.path)
      }
    } catch { throw .file(error) }
    return bytes
  }
}
