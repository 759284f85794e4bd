import Platform

/// What of a directory tree would survive a power cut, after each call of a trace.
///
/// It assumes no more than POSIX and the kernel promise: nothing is durable before it was flushed.
final class DiskModel {
  final class Node {
    enum Kind { case directory, file, symbolicLink(target: String) }
    let kind: Kind
    /// Written, and not flushed by any call since; of a symbolic link, its target.
    var isDirty = false
    /// Written, and not flushed through a descriptor of the file itself since.
    var isUnsynced = false
    var children: [String: Node] = [:]
    /// Names in this directory that were made, changed or removed, and are not durable.
    var pending: Set<String> = []

    init(_ kind: Kind) { self.kind = kind }

    /// It and everything below it.
    func forEach(_ path: String, _ body: (String, Node) -> Void) {
      body(path, self)
      for (name, child) in children { child.forEach("\(path)/\(name)", body) }
    }
  }

  let path: String
  let root: Node

  /// The tree at `copy`, which stands for that at `path`; all of it is durable.
  init(reading copy: String, as path: String) throws {
    self.path = path
    root = try DiskModel.read(copy) ?? Node(.directory)
  }

  /// The process before was killed: nothing that it did last is known to be durable.
  func doubtEverything() {
    root.forEach("") { _, node in
      node.pending.formUnion(node.children.keys)
      if case .file = node.kind { node.isDirty = true }
    }
  }

  private static func read(_ path: String) throws -> Node? {
    let directory: Directory
    do throws(Failure) { directory = try Directory(opening: path) } catch { return nil }
    let node = Node(.directory)
    for name in try names(of: directory) {
      switch try directory.status(of: name)?.kind {
      case .directory: node.children[name] = try read("\(path)/\(name)")
      case .file: node.children[name] = Node(.file)
      default:
        if let target = try directory.readSymbolicLink(name) {
          node.children[name] = Node(.symbolicLink(target: target))
        }
      }
    }
    return node
  }

  private static func names(of directory: borrowing Directory) throws -> [String] {
    var names: [String] = []
    try directory.forEachName { (name) throws(Failure) in names.append(name) }
    return names
  }

  /// The path below the root; nil for one elsewhere.
  func local(_ path: String) -> String? {
    if path == self.path { return "" }
    return path.hasPrefix(self.path + "/") ? String(path.dropFirst(self.path.count + 1)) : nil
  }

  /// Nil if there is none.
  func node(_ local: String) -> Node? {
    var node = root
    for part in local.split(separator: "/") where part != "." {
      guard let child = node.children[String(part)] else { return nil }
      node = child
    }
    return node
  }

  /// The directory that has the name at the end of a path, and that name.
  func place(_ local: String) -> (directory: Node?, name: String) {
    let parts = local.split(separator: "/").filter { $0 != "." }
    return (node(parts.dropLast().joined(separator: "/")), parts.last.map(String.init) ?? "")
  }

  /// The name is durable, as it is or as removed.
  func isDurable(name local: String) -> Bool {
    let (directory, name) = place(local)
    return directory.map { !$0.pending.contains(name) } ?? true
  }

  private func put(_ node: Node?, at local: String) {
    let (directory, name) = place(local)
    directory?.children[name] = node
    directory?.pending.insert(name)
  }

  private func dirty(_ local: String) {
    node(local)?.isDirty = true
    node(local)?.isUnsynced = true
  }

  func apply(_ call: DiskCall) {
    switch call {
    case .open(let path, let isCut):
      guard let path = local(path) else { return }
      if node(path) == nil { put(Node(.file), at: path) }
      if isCut { dirty(path) }
    case .write(let path):
      if let path = local(path) { dirty(path) }
    case .makeDirectory(let path):
      if let path = local(path), path != "" { put(Node(.directory), at: path) }
    case .symbolicLink(let path, let target):
      guard let path = local(path) else { return }
      let node = Node(.symbolicLink(target: target))
      node.isDirty = true
      put(node, at: path)
    case .link(let from, let to):
      guard let to = local(to) else { return }
      put(local(from).flatMap(node) ?? Node(.file), at: to)
    case .rename(let from, let to):
      guard let from = local(from), let to = local(to), let moved = node(from) else { return }
      put(nil, at: from)
      put(moved, at: to)
    case .remove(let path):
      if let path = local(path) { put(nil, at: path) }
    case .punch: return
    case .flush(let path, let flush): apply(flush, to: local(path))
    }
  }

  private func apply(_ flush: DiskCall.Flush, to path: String?) {
    switch flush {
    case .fileSystem:
      root.forEach("") { _, node in
        node.isDirty = false
        node.pending = []
      }
    case .file, .data:
      guard let node = path.flatMap(node) else { return }
      node.isDirty = false
      node.isUnsynced = false
      node.pending = []
    }
  }
}
