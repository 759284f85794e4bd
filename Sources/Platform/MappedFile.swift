internal import CPlatform

/// The bytes of a file in the address space, read when they are looked at: memory that the kernel can take back.
///
/// The file must not get shorter meanwhile.
public struct MappedFile: ~Copyable {
  private let memory: UnsafeRawBufferPointer

  /// Maps all of a file.
  package init(_ file: borrowing File) throws(FileError) {
    let size = try file.size()
    guard let count = Int(exactly: size) else { throw FileError(.invalid, file.path) }
    guard count > 0 else {
      memory = UnsafeRawBufferPointer(start: nil, count: 0)
      return
    }
    let address = mmap(nil, count, PROT_READ, MAP_PRIVATE, file.raw, 0)
    guard let address, address != UnsafeMutableRawPointer(bitPattern: -1) else {
      throw FileError(Errno.last, file.path)
    }
    memory = UnsafeRawBufferPointer(start: address, count: count)
  }

  deinit {
    if let address = memory.baseAddress { munmap(UnsafeMutableRawPointer(mutating: address), memory.count) }
  }

  /// The bytes; the mapping has to outlive them.
  package var bytes: UnsafeBufferPointer<UInt8> { memory.bindMemory(to: UInt8.self) }
}
