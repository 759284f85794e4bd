import Foundation
import Platform
import TestSupport
import Testing

/// Changes by which a device leaves a release that is recalled.
extension StoreChange {
  /// To the one before, which it has kept: nothing is downloaded.
  static func leaving(_ sample: Sample, _ files: Scratch) throws -> StoreChange {
    let start = try sample.device(at: 3)
    #expect(try start.run("apply").exit == 0)
    return try leaving(try #require(sample.expected[3]), from: start, files)
  }

  /// To the one before, by patches.
  static func leavingByPatches(_ sample: Sample, _ files: Scratch) throws -> StoreChange {
    // It has no package that release 4 has dropped.
    let expected = try #require(sample.expected[3]).filter { !$0.key.hasPrefix("europe/atlantis/") }
    return try leaving(expected, from: try sample.device(at: 4), files)
  }

  private static func leaving(
    _ new: [String: String], from start: Device, _ files: Scratch
  ) throws -> StoreChange {
    let device = try Device(try Sample.recalled.get().url)
    var change = try StoreChange(["apply"], from: start, device, new: new, files: files)
    change.check = { () throws in
      #expect(try device.run("verify").exit == 0)
      // Nothing leads back.
      #expect(try device.run("rollback").exit == 64)
      #expect(try device.run("apply").exit == 0)
      #expect(try device.release() == 3)
    }
    return change
  }
}

extension Sample {
  /// The sample maps after their last release, 4, was recalled.
  static let recalled = Result {
    let path = "\(Scratch.base)/tinyupdater-recalled-\(getpid())"
    atexit { _ = try? Programs.run("rm", "-rf", "\(Scratch.base)/tinyupdater-recalled-\(getpid())") }
    let repository = try Sample.shared.get().repository.copy(to: path)
    try repository.recall("2024-04")
    return repository
  }
}

extension PublishedRepository {
  /// What tests say is wrong with a release.
  static let reason = "the ferries are missing"

  func recall(_ label: String) throws {
    try tinypublish("recall", path, label, "--because", PublishedRepository.reason, "--quiet")
  }
}
