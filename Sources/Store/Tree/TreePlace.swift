internal import Crypto
internal import Platform

/// Where a component of many files lies: its front, and the directory that has the files.
struct TreePlace {
  let front: String
  let files: String

  /// Below a generation.
  init(installed component: InstalledComponent) {
    front = "\(TreePlace.folder)/\(component.digest.hex)"
    files = component.path
  }

  /// Below a directory where files have digests as names.
  init(staged name: String) {
    front = "\(name)/front"
    files = "\(name)/files"
  }

  /// The directory of a generation that has the fronts of its trees.
  static var folder: String { "trees" }
}

/// Where a component lies, as one file or as many.
enum ComponentPlace {
  case file(String)
  case tree(TreePlace)

  /// Below a generation.
  init(installed component: InstalledComponent) {
    self = component.isTree ? .tree(TreePlace(installed: component)) : .file(component.path)
  }

  /// Below a directory where files have digests as names.
  init(staged name: String, of component: InstalledComponent) {
    self = component.isTree ? .tree(TreePlace(staged: name)) : .file(name)
  }
}

/// Makes directories for files that come in the order of their names.
struct ParentDirectories {
  private var last = ""

  /// Makes those on the way to `path`, unless they were made for the path before.
  mutating func make(for path: String, in directory: borrowing Directory) throws(Failure) {
    let bytes = Array(path.utf8)
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return }
    let parent = String(decoding: bytes[..<slash], as: UTF8.self)
    if parent == last { return }
    try directory.makeParents(of: path)
    last = parent
  }
}

extension Directory {
  /// Gives all files of a component names elsewhere, in directories that it makes.
  ///
  /// - `source`, `place`: of the same form.
  /// - `size`: bytes of the component.
  func share(
    _ source: ComponentPlace, size: UInt64, with target: borrowing Directory, as place: ComponentPlace
  ) throws(Failure) {
    switch (source, place) {
    case (.tree(let source), .tree(let place)):
      try shareTree(source, size: size, with: target, as: place)
    case (.file(let source), .file(let place)):
      try target.makeParents(of: place)
      try share(source, with: target, as: place)
    case (.file, .tree), (.tree, .file): throw Failure(.invalid, path: path)
    }
  }

  /// The front gets another name too, unless it has that.
  private func shareTree(
    _ source: TreePlace, size: UInt64, with target: borrowing Directory, as place: TreePlace
  ) throws(Failure) {
    try target.makeParents(of: place.front)
    let front = try TreeFront(try open(source.front), total: size)
    if try target.status(of: place.front) == nil {
      try share(source.front, with: target, as: place.front)
    }
    var parents = ParentDirectories()
    for index in 0..<front.count {
      let name = try front.member(index).name
      let path = "\(place.files)/\(name)"
      try parents.make(for: path, in: target)
      try share("\(source.files)/\(name)", with: target, as: path)
    }
  }

  /// The front of a tree is there and right, and every file is there with its size.
  func hasTree(_ place: TreePlace, size: UInt64) throws(Failure) -> Bool {
    guard let status = try status(of: place.front), status.kind == .file else { return false }
    do throws(Failure) {
      let front = try TreeFront(try open(place.front), total: size)
      for index in 0..<front.count {
        let member = try front.member(index)
        guard let status = try self.status(of: "\(place.files)/\(member.name)"), status.kind == .file,
          status.size == member.size
        else { return false }
      }
      return true
    } catch {
      // A read error says nothing of what is there.
      if error.errno == .invalid || error.errno?.isOfAbsence == true { return false }
      throw error
    }
  }

  /// Removes the files of a tree; its front stays, by which this can be done again, and other trees may have the same.
  ///
  /// Does nothing if the front does not say what they are.
  func removeFiles(of place: TreePlace, size: UInt64) throws(Failure) {
    let front: TreeFront
    do throws(Failure) {
      front = try TreeFront(try open(place.front), total: size)
      for index in 0..<front.count { _ = try front.member(index) }
    } catch {
      if error.errno == .invalid || error.errno == .input || error.errno?.isOfAbsence == true { return }
      throw error
    }
    for index in 0..<front.count { try remove("\(place.files)/\(front.member(index).name)") }
  }
}
