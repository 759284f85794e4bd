import Platform
import TestSupport
import Testing
import Trust

@testable import Catalog
@testable import Publisher

/// A directory with input and a repository, there for the length of a test.
final class TestRepository {
  private let scratch: Scratch
  var path: String { scratch.path }
  var input: String { "\(path)/input" }
  var repository: String { "\(path)/repository" }
  /// What signs.
  var store = SharedKeys.store
  var setup = RepositorySetup(now: now)

  init() throws(Failure) {
    scratch = try Scratch("publisher")
    try scratch.makeDirectory("input")
    // The program looks for the keys there.
    try Directory(opening: path).makeSymbolicLink("repository.keys", to: SharedKeys.store.path)
    try writeSecret("passphrase", "\(SharedKeys.passphrase)\nand nothing else\n")
  }

  /// Writes a file and the directories on its way.
  func write(_ name: String, _ bytes: [UInt8], in folder: String = "input") throws(Failure) {
    try scratch.write("\(folder)/\(name)", bytes)
  }

  func write(_ name: String, _ text: String) throws(Failure) { try write(name, Array(text.utf8)) }

  /// Writes a file that its owner alone can read; its path.
  @discardableResult
  func writeSecret(_ name: String, _ text: String) throws(Failure) -> String {
    try Directory(opening: path).open(name, to: .makePrivate).write(text)
    return "\(path)/\(name)"
  }

  /// Removes something from the input.
  func remove(_ name: String) throws(Failure) { try Directory(opening: input).removeTree(name) }

  /// Adds a release made of the input, or of an archive.
  @discardableResult
  func release(
    _ label: String, patchReleases: Int = 2, jobs: Int = 2, rollout: UInt64 = 100, allowedRemovals: Int = 0,
    memory: Int = .max, form: ComponentForm? = nil, layout: LayoutChoice = .recorded,
    from source: String? = nil,
    observe: (ReleaseEvent) -> Void = { _ in }
  ) async throws(PublisherError) -> ReleaseReport {
    try initialize()
    var options = Publication.Options { TestRepository.now }
    options.patchReleases = patchReleases
    options.jobs = jobs
    options.offer.rollout = rollout
    options.allowedRemovals = allowedRemovals
    options.memory = memory
    options.form = form
    options.layout = layout
    let publication = try Publication(
      of: .files(source ?? input), label: label, in: try Repository(opening: repository), options: options)
    return try await publication.run(signing: store, observe)
  }

  /// When everything is signed: in 2027.
  static var now: Int64 { 1_800_000_000 }

  /// Keys that no other test has, in `own.keys`.
  func useOwnKeys() throws(Failure) {
    store = KeyStore("\(path)/own.keys") { (_) in Array(SharedKeys.passphrase.utf8) }
  }

  /// The metadata of the repository, to be changed.
  func session(
    _ validity: Validity = Validity(), now: Int64 = TestRepository.now
  ) throws(PublisherError) -> MetadataSession {
    try MetadataSession.begin(
      of: try Repository(opening: repository), keys: store, validity: validity, now: now)
  }

  /// Makes the repository what it was.
  func restore(_ tree: [String: [UInt8]]) throws(Failure) {
    let root = try Directory(opening: repository)
    for name in try self.tree().keys where tree[name] == nil { try root.remove(name) }
    for (name, bytes) in tree { try write(name, bytes, in: "repository") }
  }

  @discardableResult
  func initialize(_ path: String? = nil) throws(PublisherError) -> Repository.Initialization {
    try Repository.initialize(path ?? repository, keys: store, setup: setup)
  }

  /// What `verify --deep` finds wrong.
  func problems() throws(PublisherError) -> [String] {
    var options = Verification.Options(now: TestRepository.now)
    options.depth = .contents
    return try Verification(of: Repository(opening: repository), options: options).problems
  }

  /// Why no release was made; nil if one was.
  func refusal(_ label: String = "new", from source: String? = nil) async -> PublisherError? {
    do throws(PublisherError) { _ = try await release(label, from: source) } catch { return error }
    return nil
  }

  /// All files of the repository by name.
  func tree() throws(Failure) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    try collect(try Directory(opening: repository), prefix: "", into: &files)
    return files
  }

  private func collect(
    _ directory: borrowing Directory, prefix: String, into files: inout [String: [UInt8]]
  ) throws(Failure) {
    // What is remembered of the input depends on the time.
    for name in try scratch.names("repository/\(prefix)") where name != ".inputs" && name != ".locks" {
      if try directory.status(of: name)?.kind == .directory {
        try collect(try directory.openDirectory(name), prefix: "\(prefix)\(name)/", into: &files)
      } else {
        files[prefix + name] = try served(prefix + name)
      }
    }
  }

  /// A file of the repository by its URL.
  func served(_ url: String) throws(Failure) -> [UInt8] { try scratch.read("repository/\(url)") }
}
