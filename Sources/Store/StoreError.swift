package import Platform

/// Why the store could not do what it was asked for.
package indirect enum StoreError: Error, Equatable {
  case file(FileError)
  /// Another process holds the store.
  case busy(path: String)
  /// Another program reads maps that are about to be replaced.
  case heldByReader(path: String)
  /// There is no store yet.
  case missing(path: String)
  /// The root is there, but is not a store.
  case unusable(path: String, StoreFlaw)
  /// A manifest does not match its own checksum, or is not one; `line` is 0 if it is missing.
  case badManifest(path: String, line: Int)
  /// A new file does not read back from storage as what it must be.
  case wrongDigest(path: String)
  /// There is no previous generation.
  case nothingToRollBack
  /// More operations wait than a queue holds.
  case queueFull(path: String)
  /// An operation would have more exceptions than its file can hold.
  case tooManyExceptions(operation: UInt64)
  case noMemory
  case cancelled

  package var sentence: String {
    switch self {
    case .file(let error): error.sentence
    case .busy(let path):
      "\(path) is in use by another tinyupdater; wait until it has finished, or stop it"
    case .heldByReader(let path):
      "a program still reads the maps in \(path), which are to be replaced in place; nothing was changed: end it, or have "
        + "it let go of them when \"in-place\" appears in the store (docs/readers.md), and run the command again"
    case .missing(let path): "there is no store at \(path) yet; \"tinyupdater install\" makes one"
    case .unusable(let path, let flaw): "\(path) is not a usable store: \(flaw.sentence)"
    case .badManifest(let path, let line):
      "\(path) is \(line == 0 ? "missing" : "damaged (line \(line))"); \"tinyupdater boot\" or \"tinyupdater "
        + "repair\" makes it again"
    case .wrongDigest(let path): "\(path) is not what the catalog lists; nothing was changed"
    case .nothingToRollBack: "there is no previous generation to roll back to"
    case .queueFull(let path): "\(path) is full; wait until some operations are done, or cancel them"
    case .tooManyExceptions(let number):
      "operation \(number) has as many exceptions as it can have; cancel all of it instead"
    case .noMemory: "out of memory while verifying files"
    case .cancelled: "cancelled"
    }
  }
}

/// Runs `body` and gives its error the shape of this module.
func storing<Result: ~Copyable>(_ body: () throws(FileError) -> Result) throws(StoreError) -> Result {
  do throws(FileError) { return try body() } catch { throw .file(error) }
}
