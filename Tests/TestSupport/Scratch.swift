internal import Crypto
package import Platform

/// A directory below the system's temporary one or another, there for as long as this object lives.
package final class Scratch {
  package let path: String
  private let name: String
  /// On a disk the store's synchronizing takes most of the time: `TMPDIR=/dev/shm` makes the tests fast.
  package static let base = environment("TMPDIR") ?? "/tmp"

  private let base: String

  package init(_ purpose: String, in base: String = Scratch.base) throws(Failure) {
    self.base = base
    name = "tinyupdater-\(purpose)-\(UInt64.random(in: 0 ... .max))"
    path = "\(base)/\(name)"
    try Directory(opening: base).makeDirectory(name)
  }

  deinit {
    do throws(Failure) { try Directory(opening: base).removeTree(name) } catch {
      Terminal.writeLine("scratch: \(error.sentence)", to: .error)
    }
  }

  /// Writes a file and the directories on its way.
  package func write(_ name: String, _ bytes: [UInt8]) throws(Failure) {
    let root = try Directory(opening: path)
    try root.makeParents(of: name)
    let file = try root.open(name, to: .replace)
    try file.write(bytes.span.bytes)
    try file.close()
  }

  package func write(_ name: String, _ text: String) throws(Failure) { try write(name, Array(text.utf8)) }

  package func read(_ name: String) throws(Failure) -> [UInt8] { try contents("\(path)/\(name)") }

  package func makeDirectory(_ name: String) throws(Failure) {
    let root = try Directory(opening: path)
    try root.makeParents(of: name)
    try root.makeDirectory(name)
  }

  package func exists(_ name: String) throws(Failure) -> Bool {
    try Directory(opening: path).status(of: name) != nil
  }

  /// The names in a directory, in order.
  package func names(_ name: String = ".") throws(Failure) -> [String] {
    try TestSupport.names("\(path)/\(name)")
  }
}

/// All bytes of a file.
package func contents(_ path: String) throws(Failure) -> [UInt8] {
  let file = try File(opening: path)
  var bytes = [UInt8](repeating: 0, count: Int(clamping: try file.size()))
  var span = bytes.mutableSpan
  var space = span.mutableBytes
  _ = try file.read(into: &space, at: 0)
  return bytes
}

/// The names in the directory at `path`, in order.
package func names(_ path: String) throws(Failure) -> [String] {
  let directory = try Directory(opening: path)
  var names: [String] = []
  try directory.forEachName { (name) throws(Failure) in names.append(name) }
  return names.sorted()
}

/// The SHA-256 of all files below `path` by their names; symbolic links are left out.
package func digests(_ path: String) throws -> [String: String] {
  var digests: [String: String] = [:]
  var waiting = [""]
  while let prefix = waiting.popLast() {
    let directory = try Directory(opening: "\(path)/\(prefix)")
    var children: [(String, Directory.Kind)] = []
    try directory.forEachName { (name) throws(Failure) in
      if let status = try directory.status(of: name) { children.append((name, status.kind)) }
    }
    for (name, kind) in children {
      switch kind {
      case .directory: waiting.append("\(prefix)\(name)/")
      case .file: digests[prefix + name] = try digest("\(path)/\(prefix)\(name)")
      case .other: break
      }
    }
  }
  return digests
}

/// The SHA-256 of a file in hexadecimal digits.
package func digest(_ path: String) throws -> String { try digest(of: contents(path)) }

package func digest(of bytes: [UInt8]) throws -> String { try Crypto.Hasher.digest(of: bytes.span.bytes).hex }
