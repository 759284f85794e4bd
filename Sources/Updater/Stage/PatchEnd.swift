internal import DeltaApply
internal import Platform
internal import Store

/// What a container is applied to: a file, the files of a component that has many, or nothing.
typealias PatchBase = PatchEnd<TreeReader>
/// What a container makes in staging: a file, or the files of a component that has many.
typealias PatchOutput = PatchEnd<TreeWriter>

/// A file, the files of a component that has many, or nothing.
struct PatchEnd<Tree: TreeBytes>: ~Copyable {
  private var file: File?
  /// The many.
  let tree: Tree?

  /// Nothing.
  init() {
    file = nil
    tree = nil
  }

  init(_ file: consuming File) {
    self.file = consume file
    tree = nil
  }

  init(_ tree: Tree) {
    file = nil
    self.tree = tree
  }

  borrowing func read(into buffer: inout MutableRawSpan, at offset: UInt64) throws(DeltaError) -> Int {
    do throws(Failure) {
      if let tree { return try tree.read(into: &buffer, at: offset) }
      switch file {
      case .some(let file): return try file.readTwice(into: &buffer, at: offset)
      case .none: return 0
      }
    } catch { throw .file(error) }
  }

  mutating func close() throws(DeltaError) {
    do throws(Failure) {
      switch file.take() {
      case .some(let file): try file.close()
      case .none: break
      }
    } catch { throw .file(error) }
  }
}

extension PatchEnd where Tree == TreeWriter {
  borrowing func write(_ bytes: RawSpan, at offset: UInt64) throws(DeltaError) {
    do throws(Failure) {
      if let tree { return try tree.write(bytes, at: offset) }
      switch file {
      case .some(let file): try file.write(bytes, at: offset)
      case .none: break
      }
    } catch { throw tree != nil && error.isOfWrongFront ? .wrongResult(isOld: false) : .file(error) }
  }

  /// Returns when the bytes that were written are durable.
  borrowing func synchronizeData() throws(DeltaError) {
    do throws(Failure) {
      if let tree { return try tree.synchronize() }
      switch file {
      case .some(let file): try file.synchronizeData()
      case .none: break
      }
    } catch { throw .file(error) }
  }
}
