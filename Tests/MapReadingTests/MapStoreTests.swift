import Foundation
import Platform
import TestSupport
import Testing

@testable import MapReading

@Suite("Maps as their readers see them")
struct MapStoreTests {
  private let scratch: Scratch
  private var root: String { "\(scratch.path)/store" }

  init() throws { scratch = try Scratch("map-store") }

  private let digest = String(repeating: "ab", count: 32)

  /// Makes a generation with one map, and makes it current.
  private func make(_ generation: Int, release: Int, lines: String? = nil) throws {
    let map = "file europe/malta base \(release) 5 \(digest) - europe/malta/a map.bin"
    let text = """
      tinyupdater-manifest 1
      release \(release) label-\(release)
      catalog \(digest) 1
      previous 0
      \(lines ?? map)
      end \(digest)

      """
    try scratch.write("store/generations/\(generation)/manifest", text)
    try scratch.write("store/generations/\(generation)/maps/europe/malta/a map.bin", "map \(release)")
    try switchTo(generation)
  }

  private func switchTo(_ generation: Int) throws {
    let new = "\(root)/current.new"
    try FileManager.default.createSymbolicLink(atPath: new, withDestinationPath: "generations/\(generation)")
    try File.rename(new, to: "\(root)/current")
  }

  @Test("maps are read from the manifest, and opened where they lie, also with a blank in the name")
  func holding() throws {
    try make(7, release: 3)
    let maps = try MapStore(root).hold()
    #expect(maps.generation == 7 && maps.release == 3 && maps.label == "label-3")
    #expect(maps.maps.map(\.path) == ["maps/europe/malta/a map.bin"] && maps.state == .current)
    #expect(maps.firstIndex("europe/malta", "base") == 0 && maps.firstIndex("europe/malta", "none") == nil)
    #expect(maps.firstIndex(path: "maps/europe/malta/a map.bin") == 0 && maps.firstIndex(path: "a") == nil)
    let (descriptor, offset) = try maps.openData(maps.maps[0])
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 5)
    #expect(offset == 0 && read(descriptor, &bytes, 5) == 5 && bytes == Array("map 3".utf8))
  }

  @Test("the format of the store is the updater's: what readers rely on has that of its manifest")
  func newerStore() throws {
    try make(7, release: 3)
    try scratch.write("store/format", "2\n")
    #expect(try MapStore(root).hold().release == 3)
    let manifest = "store/generations/7/manifest"
    let text = String(decoding: try scratch.read(manifest), as: UTF8.self)
    try scratch.write(manifest, text.replacing("manifest 1", with: "manifest 2"))
    #expect(throws: Failure.badManifest(path: "\(root)/generations/7/manifest", line: 1)) {
      try MapStore(root).hold()
    }
  }

  @Test(
    "the data of a .dat file begins after its description, and one that claims more than the file has is refused"
  )
  func described() throws {
    try make(1, release: 1, lines: "component a base 1 13 \(digest)")
    for (size, isRight) in [(2, true), (5, true), (6, false), (255, false)] {
      let bytes = [UInt8(size), 0, 0, 0, 0, 0, 0, 0] + Array("hello".utf8)
      try scratch.write("store/generations/1/maps/a/base.dat", bytes)
      let maps = try MapStore(root).hold()
      if isRight {
        let (descriptor, offset) = try maps.openData(maps.maps[0])
        close(descriptor)
        #expect(offset == UInt64(size) + 8)
      } else {
        #expect(throws: Failure.self) { try maps.openData(maps.maps[0]) }
      }
    }
  }

  @Test("held maps are locked, and others that become current are noticed")
  func replaced() throws {
    try make(1, release: 1)
    let store = MapStore(root)
    _ = store.takeChanges()
    let maps = try store.hold()
    let directory = try Directory(opening: "\(root)/generations/1")
    #expect(throws: Failure.self) { try directory.lock(.exclusive) }
    #expect(!store.takeChanges())
    try make(2, release: 2)
    #expect(store.takeChanges() && maps.state == .replaced)
    #expect(try store.hold().release == 2)
    try FileManager.default.removeItem(atPath: "\(root)/generations/1/manifest")
    let (descriptor, _) = try maps.openData(maps.maps[0])
    close(descriptor)
  }

  @Test("an update in place asks for the maps, and gets them for as long as it waits")
  func wanted() throws {
    try make(1, release: 1)
    let store = MapStore(root)
    var maps: HeldMaps? = try store.hold()
    try FileManager.default.createDirectory(atPath: "\(root)/in-place", withIntermediateDirectories: false)
    #expect(maps?.state == .wanted && store.takeChanges())
    store.letGo(of: 1)
    maps = nil
    let directory = try Directory(opening: "\(root)/generations/1")
    try directory.lock(.exclusive)
    #expect(throws: Failure.self) { try store.hold() }
    // The update has given up: they are there again.
    _ = consume directory
    #expect(throws: Failure.self) { try store.hold() }
    try FileManager.default.removeItem(atPath: "\(root)/in-place")
    #expect(store.takeChanges())
    #expect(try store.hold().state == .current)
  }

  @Test("a store that is not there yet has no maps, and is noticed when it is")
  func absent() throws {
    let store = MapStore("\(root)/")
    let nothing = try store.hold()
    #expect(nothing.maps.isEmpty && nothing.generation == 0 && nothing.state == .current)
    try scratch.write("another", "")
    #expect(!store.takeChanges())
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
    #expect(store.takeChanges())
    try make(1, release: 1)
    #expect(store.takeChanges())
    #expect(try store.hold().release == 1)
  }

  @Test("whatever is wrong with a manifest is refused, and nothing of it is believed")
  func hostile() throws {
    try make(1, release: 1)
    let path = "store/generations/1/manifest"
    let whole = try contents("\(scratch.path)/\(path)")
    for count in 0..<whole.count - 66 {
      try scratch.write(path, Array(whole[..<count]))
      #expect(throws: Failure.self) { try MapStore(root).hold() }
    }
    var random = SeededGenerator(4)
    for index in whole.indices {
      var bytes = whole
      bytes[index] = UInt8.random(in: 0...255, using: &random)
      try scratch.write(path, bytes)
      // Read or refused, but never more maps than lines.
      if let maps = try? MapStore(root).hold() { #expect(maps.maps.count <= 2) }
    }
    for target in ["elsewhere", "generations/x", "generations/1/..", "/generations/1", "generations/01"] {
      try? FileManager.default.removeItem(atPath: "\(root)/current")
      try FileManager.default.createSymbolicLink(atPath: "\(root)/current", withDestinationPath: target)
      #expect(throws: Failure.self, "\(target)") { try MapStore(root).hold() }
    }
  }
}
