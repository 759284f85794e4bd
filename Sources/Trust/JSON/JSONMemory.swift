internal import CJansson
internal import Synchronization

/// The memory that parsed metadata takes, all documents together.
///
/// jansson asks here for every block, and is refused when `Limits.memory` is reached: a small file can
/// make a large tree.
enum JSONMemory {
  private static let used = Atomic(0)
  /// Bytes before each block, which hold its size.
  ///
  /// Sixteen, so that the block is aligned for anything.
  private static var header: Int { 16 }

  /// Makes jansson allocate here; it has to be called before anything is parsed.
  static func install() {
    json_set_alloc_funcs({ JSONMemory.allocate($0) }, { JSONMemory.release($0) })
  }

  /// Sets `count` bytes aside; false if there are not so many.
  static func reserve(_ count: Int) -> Bool {
    guard count <= Limits.memory else { return false }
    guard used.add(count, ordering: .relaxed).newValue > Limits.memory else { return true }
    unreserve(count)
    return false
  }

  static func unreserve(_ count: Int) { used.subtract(count, ordering: .relaxed) }

  private static func allocate(_ size: Int) -> UnsafeMutableRawPointer? {
    let (count, isTooLarge) = size.addingReportingOverflow(header)
    guard !isTooLarge, reserve(count) else { return nil }
    guard let block = tu_json_malloc(count) else {
      unreserve(count)
      return nil
    }
    block.storeBytes(of: count, as: Int.self)
    return block + header
  }

  private static func release(_ pointer: UnsafeMutableRawPointer?) {
    guard let pointer else { return }
    let block = pointer - header
    unreserve(unsafe block.load(as: Int.self))
    tu_json_free(block)
  }
}
