internal import CPlatform

/// A file mapped into memory; the kernel reads its pages on demand and can drop them.
///
/// The file must not shrink while it is mapped.
package struct MappedFile: ~Copyable {
  private let memory: UnsafeRawBufferPointer

  /// Maps the whole file.
  package init(_ file: borrowing File) throws(Failure) {
    let size = try file.size()
    guard let count = Int(exactly: size) else { throw Failure(.invalid, path: file.path) }
    guard count > 0 else {
      memory = UnsafeRawBufferPointer(start: nil, count: 0)
      return
    }
    let address = mmap(nil, count, PROT_READ, MAP_PRIVATE, file.raw, 0)
    guard let address, address != UnsafeMutableRawPointer(bitPattern: -1) else {
      throw Failure(Errno(code: tu_errno()), path: file.path)
    }
    memory = UnsafeRawBufferPointer(start: address, count: count)
  }

  @inline(never) deinit {
    if let address = memory.baseAddress { munmap(UnsafeMutableRawPointer(mutating: address), memory.count) }
  }

  /// The bytes, valid as long as the mapping.
  package var bytes: UnsafeBufferPointer<UInt8> { memory.bindMemory(to: UInt8.self) }
}
