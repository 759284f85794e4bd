package import MapModel
internal import MapReading
package import Platform

/// The maps of a device, and everything that is needed to change them (`docs/design.md`, The store).
///
///     format                       the format of all this
///     current -> generations/41    the one commit point: renamed over, atomically
///     generations/41/manifest      what is installed; checksummed
///     generations/41/catalog       the release's catalog
///     generations/41/maps/…        hard links; a file never changes after it was linked
///     staging/                     content-addressed downloads, and indexes beside them
///     generations/41/parts/…       the parts of that which list what is installed
///     catalogs/                    the newest release that is known, its catalog, and parts of it
///     queue/                       operations that wait, and what is at work
///     groups                       the data groups that are deselected
///     trial                        the generation on trial, and blocked releases
///     standby                      the generation that is ready to become the current one
///     area/                        where the device is, and the packages that came because of that
///     contact                      when the repository was last reached
///     reports/                     what the server of the fleet has not been told yet
///     history                      what happened, bounded
///     events                       the same as it happens, for other processes
///     damage, verification         what `verify` found, and how far it came
///     trust/                       signed metadata of the repository, as the Trust module keeps it
///
/// What is open for reading cannot write: `LockedStore` does. The root directory carries its lock (flock(2)).
/// Names that end in `.new` are being made, in `.old` being removed; neither means anything to a reader.
package struct Store: ~Copyable {
  let root: Directory
  let generations: Directory
  package let staging: Staging

  /// Opens it to read; another process may change it meanwhile.
  package init(opening path: String) throws(Failure) {
    let root = try Store.openRoot(path)
    let generations = try Store.openGenerations(root)
    let staging = try root.openDirectory("staging")
    self.root = root
    self.generations = generations
    self.staging = Staging(staging)
  }

  /// The store below `root`, which is locked.
  init(locked root: consuming Directory) throws(Failure) {
    let generations = try root.openDirectory("generations")
    let staging = try root.openDirectory("staging")
    self.root = root
    self.generations = generations
    self.staging = Staging(staging)
  }

  package var path: String { root.path }

  static func openRoot(_ path: String) throws(Failure) -> Directory {
    do throws(Failure) { return try Directory(opening: path) } catch {
      throw error.errno == .noEntry ? .noStore(path: path) : error
    }
  }

  /// Opens the generations; a root that holds nothing but trusted metadata is not a store yet.
  static func openGenerations(_ root: borrowing Directory) throws(Failure) -> Directory {
    do throws(Failure) { return try root.openDirectory("generations") } catch {
      throw error.errno == .noEntry ? .noStore(path: root.path) : error
    }
  }

  /// Opens the directory of trusted metadata in the store at `path`, and makes both where they are missing.
  ///
  /// It has a lock of its own: asking what is the newest release does not wait for an update.
  package static func openTrust(_ path: String) throws(Failure) -> Directory {
    let root = try Directory(making: path)
    try root.makeDirectory("trust")
    return try root.openDirectory("trust")
  }

  /// Opens the directory of trusted metadata in the store at `path`, for a look at it; nil if there is none.
  package static func lookAtTrust(_ path: String) throws(Failure) -> Directory? {
    try openCache("trust", in: path)
  }

  /// Opens the staging area of the store at `path`, for a look at it; nil if there is none.
  package static func openStaging(_ path: String) throws(Failure) -> Staging? {
    guard let directory = try openCache("staging", in: path) else { return nil }
    return Staging(directory)
  }

  /// Opens a directory of the store at `root` that means nothing where it is missing; nil if it is.
  ///
  /// Anything else with that name, above all a symbolic link, is not opened.
  static func openCache(_ name: String, in root: String) throws(Failure) -> Directory? {
    do throws(Failure) { return try Directory(opening: root).openDirectory(name) } catch {
      guard error.errno == .noEntry || error.errno == .notADirectory else { throw error }
      return nil
    }
  }

  // MARK: - Generations

  /// The generation that readers see; empty if nothing is installed.
  package func current() throws(Failure) -> Generation {
    guard let number = try currentNumber() else { return Generation() }
    return try open(number)
  }

  /// The generation that readers see, held so that it stays for as long as the value lives; empty if nothing is
  /// installed.
  package func holdCurrent() throws(Failure) -> Generation {
    guard let held = try HeldGeneration.current(in: root) else { return Generation() }
    return Generation(number: held.number, directory: held.takeDirectory())
  }

  /// The generation that was current before the current one was made: where `tinyupdater rollback` goes.
  ///
  /// Nil if there is none, or if it is not whole. Its number is in the manifest, because there may be generations that
  /// never became current. Where that manifest is lost, it is the newest one before the current one whose manifest can
  /// be read.
  package func previous() throws(Failure) -> Generation? {
    guard let current = try currentNumber() else { return nil }
    let number: UInt64
    do throws(Failure) { number = try open(current).manifest().previous } catch {
      guard error.isOfLostManifest else { throw error }
      guard let whole = try newestWhole(before: current)?.number else { return nil }
      return try open(whole)
    }
    return number > 0 ? try whole(number) : nil
  }

  /// The release of the current generation, by its manifest; nil if nothing is installed.
  package func currentRelease() throws(Failure) -> CatalogedRelease? {
    try current().release()
  }

  /// The generation before the current one, by its manifest; 0 if it had none, nil if nothing is installed.
  func previousNumber() throws(Failure) -> UInt64? {
    let generation = try current()
    return generation.isEmpty ? nil : try generation.manifest().previous
  }

  /// Something is installed, whether its manifest can be read or not.
  package func hasCurrent() throws(Failure) -> Bool { try currentNumber() != nil }

  /// `current` is missing, or is a file or a link that does not name a generation.
  ///
  /// A directory in its place is an error: it may hold files that are no business of the store.
  package func isLinkLost() throws(Failure) -> Bool {
    do throws(Failure) { return try currentNumber() == nil } catch {
      guard case .unusableStore(_, .strayCurrent) = error else { throw error }
      let status = try root.status(of: "current")
      guard status?.kind != .directory else { throw error }
      return true
    }
  }

  /// There are maps of some generation, whether it can be used or not.
  package func hasMaps() throws(Failure) -> Bool {
    var isFound = false
    try forEachGeneration { number in
      do throws(Failure) {
        if try generations.status(of: "\(number)/maps") != nil { isFound = true }
      } catch {}
    }
    return isFound
  }

  /// A generation is current, and it or its manifest is missing or damaged.
  package func isCurrentLost() throws(Failure) -> Bool {
    do throws(Failure) { _ = try currentRelease() } catch {
      guard error.isOfLostManifest else { throw error }
      return true
    }
    return false
  }

  /// The newest generation that was current once, except the current one, whose manifest can be read; nil if there is
  /// none.
  ///
  /// `limit`: only generations with lower numbers count.
  package func newestWhole(
    before limit: UInt64 = .max
  ) throws(Failure) -> (number: UInt64, release: CatalogedRelease)? {
    let current = try isLinkLost() ? nil : currentNumber()
    let standby = try standby()?.generation
    var numbers: [UInt64] = []
    try forEachGeneration { number in
      guard number != current, number != standby else { return }
      if number < limit && numbers.count < StoreLimits.candidates {
        numbers.append(number)
      }
    }
    numbers.sort()
    for number in numbers.reversed() {
      do throws(Failure) { return (number, try open(number).manifest().release) } catch {}
    }
    return nil
  }

  func open(_ number: UInt64) throws(Failure) -> Generation {
    Generation(
      number: number,
      directory: try generations.openDirectory("\(number)"))
  }

  func currentNumber() throws(Failure) -> UInt64? { try GenerationNumber.current(in: root) }

  func forEachGeneration(_ body: (UInt64) -> Void) throws(Failure) {
    try generations.forEachName { (name) throws(Failure) in
      if let number = GenerationNumber.of(name) { body(number) }
    }
  }
}

extension Failure {
  /// A generation or its manifest is missing or damaged.
  package var isOfLostManifest: Bool {
    switch self {
    case .badManifest: true
    case .file(let error): error.errno.isOfAbsence
    default: false
    }
  }
}
