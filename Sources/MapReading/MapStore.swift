package import Platform

/// The store, as those see it who read its maps (`docs/readers.md`); it may be made later.
package final class MapStore {
  package let path: String
  private var watch: DirectoryWatch?
  /// What is watched is the directory that the store will be in.
  private var isAwaited = false
  /// Maps that were let go because an update in place waited for them.
  private var letGo: (generation: UInt64, time: UInt64)?

  package init(_ path: String) {
    self.path = path
    watch = nil
    observe()
  }

  /// What becomes readable when something changes; nil if the kernel cannot watch.
  package var raw: CInt? { watch?.raw }

  /// Whether the maps may have changed since the last call.
  package func takeChanges() -> Bool {
    let isChanged = watch?.hasChanges { !isAwaited && $0 != "current" && $0 != "in-place" } ?? false
    guard isAwaited else { return isChanged }
    if isChanged { observeStore() }
    return !isAwaited
  }

  /// Holds the maps that are current; none are installed if there is no store.
  ///
  /// Throws `busy` while they are being replaced in place, and for as long as an update waits for those that were let go.
  package func hold() throws(Failure) -> HeldMaps {
    let maps: HeldMaps
    do throws(Failure) { maps = try HeldMaps(in: try Directory(opening: path)) } catch {
      guard error.errno == .noEntry else { throw error }
      maps = HeldMaps(nothingIn: Directory())
    }
    if let letGo, letGo.generation == maps.generation, Clock.milliseconds < letGo.time + MapStore.patience,
      maps.state == .wanted
    {
      throw .busy(path: path)
    }
    return maps
  }

  /// Says that maps that an update in place waits for are let go: `hold` does not return them again while it waits.
  package func letGo(of generation: UInt64) { letGo = (generation, Clock.milliseconds) }

  /// Milliseconds after which an update in place has given up waiting.
  private static var patience: UInt64 { 20_000 }

  private func observe() {
    isAwaited = true
    observeStore()
    guard isAwaited else { return }
    do throws(Failure) {
      watch = DirectoryWatch(try Directory(opening: MapStore.parent(of: path)), for: .names)
    } catch {}
  }

  /// Watches the store, if there is one.
  private func observeStore() {
    do throws(Failure) {
      watch = DirectoryWatch(try Directory(opening: path), for: .names)
      isAwaited = false
    } catch {}
  }

  private static func parent(of path: String) -> String {
    let bytes = Array(path.utf8)
    let slash = UInt8(ascii: "/")
    let end = bytes.lastIndex { $0 != slash } ?? 0
    guard let last = bytes[..<end].lastIndex(of: slash) else { return bytes.first == slash ? "/" : "." }
    return last == 0 ? "/" : String(decoding: bytes[..<last], as: UTF8.self)
  }
}
