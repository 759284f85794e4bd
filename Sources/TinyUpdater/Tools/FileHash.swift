internal import Crypto
internal import Platform
internal import Store
internal import Updater

/// The digest of a whole file, by any algorithm that metadata may list.
enum FileHash {
  static func of(_ file: borrowing File, _ algorithm: HashAlgorithm) throws(UpdateError) -> [UInt8] {
    var buffer = Buffer(count: 64 << 10)
    var hasher = try hasher(algorithm)
    var offset: UInt64 = 0
    while true {
      let count = try fill(&buffer, from: file, at: offset)
      if count == 0 { break }
      do throws(HasherError) { try hasher.update(buffer.bytes.extracting(first: count)) } catch {
        throw .store(.noMemory)
      }
      offset += UInt64(count)
    }
    do throws(HasherError) { return try hasher.finishBytes() } catch { throw .store(.noMemory) }
  }

  // libcrypto fails here only without memory.
  private static func hasher(_ algorithm: HashAlgorithm) throws(UpdateError) -> Hasher {
    do throws(HasherError) { return try Hasher(algorithm) } catch { throw .store(.noMemory) }
  }

  // The span ends here, so that the buffer can be read after the call.
  private static func fill(
    _ buffer: inout Buffer, from file: borrowing File, at offset: UInt64
  ) throws(UpdateError) -> Int {
    var bytes = buffer.mutableBytes
    do throws(FileError) { return try file.read(into: &bytes, at: offset) } catch {
      throw UpdateError(error)
    }
  }
}
