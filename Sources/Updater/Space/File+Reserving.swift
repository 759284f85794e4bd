internal import Platform

extension File {
  /// Takes the space for `size` bytes now; if there is none, nothing is taken, and the first `present` bytes stay.
  func reserveOrRelease(_ size: UInt64, keeping present: UInt64) throws(UpdateError) {
    do throws(FileError) { try reserve(size) } catch {
      do throws(FileError) { try release(to: present) } catch {}
      throw UpdateError(reserving: error)
    }
  }
}

extension UpdateError {
  /// An error of what takes space and writes nothing.
  init(reserving error: FileError) {
    self = error.errno.isOutOfSpace ? .noRoom(error) : UpdateError(error)
  }
}
