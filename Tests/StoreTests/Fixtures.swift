import Crypto
import MapModel
import Platform
import TestSupport
import Testing

@testable import Store

/// The pieces that these tests are made of.
enum Fixture {
  static func digest(_ text: String) throws -> Digest { try Hasher.digest(of: Array(text.utf8).span.bytes) }

  static func release(_ number: UInt64) throws -> CatalogedRelease {
    CatalogedRelease(
      Release(number: number, label: "label-\(number)"),
      catalog: CatalogReference(digest: try digest("catalog \(number)"), size: 9))
  }

  /// A component of which the file holds `text`.
  static func component(_ id: PackageID, text: String, release: UInt64 = 1) throws -> InstalledComponent {
    InstalledComponent(
      ComponentName(id: id, dataGroup: "base"), release: release, size: UInt64(text.utf8.count),
      digest: try digest(text))
  }

  /// Lays a complete file into staging.
  static func stage(_ text: String, in store: borrowing LockedStore) throws {
    let digest = try digest(text)
    let part = try store.staging.openPart(digest)
    try part.write(text)
    try store.staging.complete(digest, size: UInt64(text.utf8.count))
  }

  /// Builds a generation with one component per pair of id and contents, and leaves it unswitched.
  static func build(
    _ release: UInt64, components: [(id: PackageID, text: String)], in store: borrowing LockedStore
  ) throws -> UInt64 {
    var builder = try store.beginGeneration(try Fixture.release(release))
    for (id, text) in components {
      try stage(text, in: store)
      try builder.add(try component(id, text: text), from: store.reading.staging)
    }
    let number = builder.number
    try builder.finish(in: store)
    return number
  }

  /// Builds a generation, switches to it and cleans up, as an update does.
  @discardableResult
  static func commit(
    _ release: UInt64, components: [(id: PackageID, text: String)] = [("a", "alpha")],
    in store: borrowing LockedStore
  ) throws -> UInt64 {
    let number = try build(release, components: components, in: store)
    try store.switchCurrent(to: number)
    try store.removeStaleGenerations()
    return number
  }

  static func currentNumber(_ store: borrowing LockedStore) throws -> UInt64? {
    number(of: try store.reading.current())
  }

  static func previousNumber(_ store: borrowing LockedStore) throws -> UInt64? {
    switch try store.reading.previous() {
    case .some(let generation): generation.number
    case .none: nil
    }
  }

  static func number(of generation: borrowing Generation) -> UInt64? {
    generation.isEmpty ? nil : generation.number
  }

  /// The error of `body`; nil if there was none.
  static func error(_ body: () throws(Failure) -> Void) -> Failure? {
    do throws(Failure) { try body() } catch { return error }
    return nil
  }
}

/// The test expected a current generation.
struct NothingIsCurrent: Error {}
