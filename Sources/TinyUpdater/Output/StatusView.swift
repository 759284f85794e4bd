internal import Catalog
internal import MapModel
internal import Platform
internal import Store
internal import Updater

/// Writes the status of a store.
struct StatusView: ~Copyable {
  private let store: Store
  private let console: Console

  init(_ store: consuming Store, console: Console) {
    self.store = store
    self.console = console
  }

  func write() throws(StoreError) {
    let installed = try store.currentRelease()?.release
    let (components, size, indexSize) = try sums()
    var last: HistoryEntry?
    try History(opening: store.path).forEachEntry { last = $0 }
    let staged = try store.staging.size()
    let previous = try previousRelease()
    let known = try knownRelease()
    console.emit("status") { json in
      if let installed { json.add("release", installed.json) }
      json.add("components", components)
      json.add("installedSize", size)
      json.add("indexSize", indexSize)
      json.add("staged", staged)
      if let previous { json.add("previous", previous.json) }
      if let known { json.add("newest", known.newest.release.json) }
      if let announced = known?.announced {
        var release = announced.release.json
        release.add("minimumApplication", announced.minimumApplication)
        json.add("applicationTooOld", release)
      }
      if let last { json.add("lastRun", last.json) }
    }
    console.say(installed?.text ?? "nothing is installed")
    if let newest = known?.newest.release, newest.number > installed?.number ?? 0 {
      console.say("newest      \(newest.text)")
    }
    if let announced = known?.announced { console.say("application \(announced.sentence)") }
    console.say("installed   \(components) components, \(ByteCount(size).text)")
    if indexSize > 0 { console.say("indexes     \(ByteCount(indexSize).text)") }
    console.say("rollback    \(previous.map { "to \($0.text)" } ?? "no previous generation")")
    console.say("staging     \(staged == 0 ? "empty" : ByteCount(staged).text)")
    if let last {
      console.say(
        "last run    \(last.command) at \(Clock.timestamp(last.time)): \(last.result), "
          + "\(ByteCount(last.downloaded).text) downloaded, \(last.milliseconds) ms, "
          + "peak memory \(ByteCount(last.peakResident).text)")
    }
  }

  /// The newest release that the last check found.
  private func knownRelease() throws(StoreError) -> KnownRelease? {
    switch try CatalogCache.open(store.path) {
    case .some(let cache): return try cache.known()
    case .none: return nil
    }
  }

  /// How many components, their bytes, and those of their indexes.
  private func sums() throws(StoreError) -> (Int, UInt64, UInt64) {
    var (count, size, indexSize) = (0, UInt64(0), UInt64(0))
    guard let generation = try store.current() else { return (0, 0, 0) }
    var manifest = try generation.manifest()
    while let component = try manifest.next() {
      count += 1
      size = size.saturatingSum(component.size)
      indexSize = indexSize.saturatingSum(component.index?.size ?? 0)
    }
    return (count, size, indexSize)
  }

  private func previousRelease() throws(StoreError) -> Release? {
    guard let generation = try store.previous() else { return nil }
    return try generation.manifest().release.release
  }
}
