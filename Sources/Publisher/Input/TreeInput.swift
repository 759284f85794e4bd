internal import Crypto
internal import MapModel
internal import Platform
internal import Store

/// The files of a component that consists of many (`docs/format/tree.md`).
struct TreeInput: Equatable, Sendable {
  /// In the order of their names.
  let files: [Member]

  struct Member: Equatable, Sendable {
    /// Below the directory of the component.
    let name: String
    /// Where it is read.
    let location: String
    let size: UInt64
  }

  init(_ files: [Member]) {
    self.files = files.sorted { Identifier.isBefore($0.name, $1.name) }
  }

  /// Many small files are one component: with one for each, names and digests would be most of what devices download.
  ///
  /// - `before`: how the release before had it, if it did: a component does not change its form by itself.
  static func isWorthwhile(_ files: [UInt64], before: Bool?) -> Bool {
    if let before { return before }
    return files.count >= leastFiles && files.reduce(0, +) / UInt64(files.count) <= largestMean
  }

  private static var leastFiles: Int { 64 }
  /// Bytes of a file in the mean: an entry of a catalog takes a hundredth of that.
  private static var largestMean: UInt64 { 64 << 10 }

  /// Bytes of the component.
  var size: UInt64 { UInt64(frontSize) + files.reduce(0) { $0 + $1.size } }

  private var frontSize: Int { TreeFront.size(files: files.count, names: namesSize) }
  /// Bytes of all names.
  private var namesSize: Int { files.reduce(0) { $0 + $1.name.utf8.count } }

  /// Reads all files; the front of the component.
  func front() throws(PublisherError) -> [UInt8] {
    var digests: [UInt8] = []
    for file in files {
      let found = try FileDigest.of(file.location)
      guard found.size == file.size else { throw .input(.changedWhileRead(path: file.location)) }
      for index in 0..<Digest.size { digests.append(found.digest.bytes[index]) }
    }
    var front: [UInt8] = []
    front.reserveCapacity(frontSize)
    func add(_ number: UInt64, bytes: Int) {
      for index in 0..<bytes { front.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * index))) }
    }
    front += TreeFront.magic
    add(UInt64(files.count), bytes: 4)
    add(UInt64(namesSize), bytes: 4)
    add(0, bytes: 4)
    for file in files { add(file.size, bytes: 8) }
    front += digests
    for file in files { add(UInt64(file.name.utf8.count), bytes: 2) }
    for file in files { front += Array(file.name.utf8) }
    return front
  }
}

extension FileDigest {
  /// Calls `body` with `front` and then with all files, piece by piece.
  static func of(
    _ tree: TreeInput, front: [UInt8], _ body: (RawSpan) throws(PublisherError) -> Void = { _ in }
  ) throws(PublisherError) -> FileDigest {
    var hasher = try hashing(tree) { () throws(HasherError) in try Hasher() }
    var size = UInt64(front.count)
    try hashing(tree) { () throws(HasherError) in try hasher.update(front.span.bytes) }
    try body(front.span.bytes)
    for (index, file) in tree.files.enumerated() {
      let read = try FileDigest.read(file.location) { (bytes) throws(PublisherError) in
        try hashing(tree) { () throws(HasherError) in try hasher.update(bytes) }
        try body(bytes)
      }
      guard read.size == file.size, tree.digest(index, in: front) == read.digest else {
        throw .input(.changedWhileRead(path: file.location))
      }
      size += read.size
    }
    let digest = try hashing(tree) { () throws(HasherError) in try hasher.finish() }
    return FileDigest(size: size, digest: digest)
  }

  private static func hashing<Result: ~Copyable>(
    _ tree: TreeInput, _ body: () throws(HasherError) -> Result
  ) throws(PublisherError) -> Result {
    do throws(HasherError) { return try body() } catch { throw .library(.hashing(path: tree.path)) }
  }
}

extension TreeInput {
  /// The digest that the front has for a file.
  fileprivate func digest(_ index: Int, in front: [UInt8]) -> Digest? {
    let start = TreeFront.digestOffset(index, files: files.count)
    return Digest(front.span.bytes.extracting(start..<start + Digest.size))
  }

  /// A path for sentences.
  fileprivate var path: String { files.first?.location ?? "" }
}
