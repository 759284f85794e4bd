// How a program reads maps that tinyupdater may replace at any moment: docs/readers.md.
//
//   reader [--watch | --check] [ROOT]
//
// Prints the release and every map, and exits with 1 if a map cannot be read as a whole.
//   --watch  repeats that whenever the maps change; lets go of maps that are to be replaced in place
//   --check  reads all maps of one release, then of the one that is current then, and so on, until SIGTERM or SIGINT;
//            prints each change of the release, each failure, and the counts

@preconcurrency import Glibc
import MapLoader

/// Whether all bytes of a map can be read.
func isWhole(_ map: InstalledMap, of maps: InstalledMaps) -> Bool {
  guard let (descriptor, _) = try? maps.open(map) else { return false }
  defer { close(descriptor) }
  if map.isDirectory { return true }
  var bytes = [UInt8](repeating: 0, count: 1 << 16)
  var size = 0
  while true {
    let count = read(descriptor, &bytes, bytes.count)
    if count <= 0 { return count == 0 && size == map.size }
    size += count
  }
}

/// Reads all maps; returns whether all are whole.
func look(at maps: InstalledMaps, quietly isQuiet: Bool, last: MapRelease?) -> Bool {
  guard let release = maps.release else { return true }
  if !isQuiet || release != last { print(maps.directory, "release", release.number, release.label) }
  var failures = 0
  for map in maps.maps {
    let isWhole = isWhole(map, of: maps)
    if !isWhole || !isQuiet { print(map.path, isWhole ? "ok" : "cannot be read as a whole") }
    if !isWhole { failures += 1 }
  }
  fflush(nil)
  return failures == 0
}

func hold(_ loader: MapLoader) -> InstalledMaps? {
  do { return try loader.hold() } catch {
    if error.result != .busy { fputs("reader: \(error.message)\n", stderr) }
    return nil
  }
}

let mode = CommandLine.arguments.dropFirst().first { $0 == "--watch" || $0 == "--check" }
var options = MapLoader.Options()
if let root = CommandLine.arguments.dropFirst(mode == nil ? 1 : 2).first { options.root = root }
let loader = try MapLoader(options)
var last: MapRelease?
var failures = 0

if mode == "--watch" {
  var maps = hold(loader)
  if let maps { _ = look(at: maps, quietly: false, last: nil) }
  for await _ in loader.mapChanges {
    if maps?.state == .wanted { maps = nil }
    guard let next = hold(loader) else { continue }
    // Only now: there is no moment without maps.
    maps = next
    _ = look(at: next, quietly: false, last: nil)
  }
}

nonisolated(unsafe) var isStopped = false
if mode == "--check" {
  signal(SIGTERM) { _ in isStopped = true }
  signal(SIGINT) { _ in isStopped = true }
}
var views = 0
repeat {
  guard let maps = hold(loader) else { exit(1) }
  if !look(at: maps, quietly: mode == "--check", last: last) { failures += 1 }
  last = maps.release
  views += 1
} while mode == "--check" && !isStopped
if mode == "--check" { print(views, "views,", failures, "failures") }
if last == nil { fputs("reader: nothing is installed\n", stderr) }
exit(last == nil ? 2 : failures > 0 ? 1 : 0)
