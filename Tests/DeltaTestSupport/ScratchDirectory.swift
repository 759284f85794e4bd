import Foundation

/// A directory of a test's own, removed with the last reference to it.
package final class ScratchDirectory {
  private let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("tinyupdater-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
  }

  deinit {
    do { try FileManager.default.removeItem(at: url) } catch { print("\(url.path) stays: \(error)") }
  }

  package func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  package func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
    try Data(bytes).write(to: url.appendingPathComponent(name))
  }

  package func read(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: url.appendingPathComponent(name)))
  }
}
