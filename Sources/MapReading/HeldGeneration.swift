package import Platform

/// A generation that stays for as long as this value lives: the reader's side of the contract (`docs/readers.md`).
package struct HeldGeneration: ~Copyable {
  package let number: UInt64
  package let directory: Directory

  /// Holds the current generation below `root`; nil if nothing is installed.
  ///
  /// Between the look at `current` and the lock the generation may have been replaced and removed, so `current` still has to
  /// name it when it is locked. Throws `busy` if it is just being replaced in place.
  package static func current(in root: borrowing Directory) throws(Failure) -> HeldGeneration? {
    while let number = try GenerationNumber.current(in: root) {
      do throws(Failure) {
        let directory = try root.openDirectory("generations").openDirectory("\(number)")
        try lock(directory)
        if try GenerationNumber.current(in: root) == number {
          return HeldGeneration(number: number, directory: directory)
        }
      } catch {
        // One that was replaced meanwhile may be gone, or going and locked; then there is another.
        if try GenerationNumber.current(in: root) == number { throw error }
      }
    }
    return nil
  }

  /// Keeps the generation in `directory` from being deleted until that is closed.
  package static func lock(_ directory: borrowing Directory) throws(Failure) {
    do throws(Failure) { try directory.lock(.shared) } catch {
      throw error.errno == .wouldBlock ? .busy(path: directory.path) : error
    }
  }

  /// Its directory, which holds it from here on.
  package consuming func takeDirectory() -> Directory { directory }

  private init(number: UInt64, directory: consuming Directory) {
    self.number = number
    self.directory = directory
  }
}
