import Foundation
import Platform
import TestSupport
import Testing

/// Four releases of real maps, published once per build of `tinypublish` and kept in the cache.
struct Corpus {
  let repository: PublishedRepository
  private let maps: String

  /// What is published and installed: a sample that takes a minute, since a new `tinypublish` publishes it anew.
  static let packages = [
    "europe/malta", "europe/iceland", "europe/france/corse", "europe/france/grand-est",
    "europe/france/bourgogne-franche-comte", "europe/france/guadeloupe",
  ]
  static let labels = ["2022-12-31", "2023-06-30", "2023-11-30", "2024-06-30"]

  private static let unpacker = "\(Checkout.root)/../shared/corpus/unpack.sh"
  static let isThere = Checkout.isFile(unpacker)
  /// Patches of real maps take minutes without the optimizer.
  static let isPublishable = environment("TINYPUBLISH") != nil || Checkout.isFile(Programs.optimizedPublisher)

  static let cache =
    environment("TINYUPDATER_CACHE") ?? "\(environment("HOME") ?? Scratch.base)/.cache/tinyupdater"

  init() throws {
    maps = "\(Corpus.cache)/corpus"
    try Programs.run("mkdir", "-p", maps)
    let unpacked = try ChildProcess.run(Corpus.unpacker, [maps] + Corpus.packages, timeout: 600)
    guard unpacked.status == 0 else { throw Unmet("the corpus cannot be unpacked: \(unpacked.error)") }

    let key = try digest(Programs.tinypublish()).prefix(16)
    let names = Corpus.packages.joined(separator: "+").replacing("/", with: ".")
    let kept = "\(Corpus.cache)/repository-\(key)-\(names)"
    repository = PublishedRepository(path: "\(kept)/served")
    if Checkout.isFile(repository.root) { return }
    // Only the newest are of use.
    try Programs.run(
      "find", Corpus.cache, "-maxdepth", "1", "-name", "repository-*", "-mtime", "+1", "-exec", "rm", "-rf",
      "{}", "+")
    // Made under another name: two of these tests may run at a time, in two checkouts.
    let scratch = try Scratch("corpus", in: Corpus.cache)
    let unfinished = PublishedRepository(path: "\(scratch.path)/made/served")
    for label in Corpus.labels {
      // Other packages may have been unpacked here.
      let input = "\(scratch.path)/\(label)"
      for package in Corpus.packages {
        try Programs.run("mkdir", "-p", "\(input)/\(package)")
        try Programs.run("cp", "-alT", "\(maps)/\(label)/\(package)", "\(input)/\(package)")
      }
      try unfinished.publish(input, label: label)
    }
    let moved = try ChildProcess.run("mv", ["-T", "\(scratch.path)/made", kept])
    guard moved.status == 0 || Checkout.isFile(repository.root) else {
      throw Unmet("the published corpus cannot be kept: \(moved.error)")
    }
  }

  /// The data files of a release by their paths.
  func files(_ release: Int) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for package in Corpus.packages {
      let folder = "\(maps)/\(Corpus.labels[release - 1])/\(package)"
      for name in try digests(folder).keys where !name.hasSuffix("map.xml") {
        files["\(package)/\(name)"] = try contents("\(folder)/\(name)")
      }
    }
    return files
  }
}

extension Tag {
  /// Takes minutes.
  @Tag static var corpus: Self
}
