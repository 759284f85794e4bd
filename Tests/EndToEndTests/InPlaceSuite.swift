import Platform
import TestSupport
import Testing

/// Tests of devices that update in place on a volume of their own, and are interrupted.
protocol InPlaceSuite {
  var scratch: Scratch { get }
  var volume: Volume { get }
}

extension InPlaceSuite {
  var root: String { volume.store }

  /// A device at release 1 without room for two copies of its maps.
  ///
  /// - `prepare`: called with the store, when everything is installed and there is room.
  func device(
    _ repository: PublishedRepository, leaving free: Int, _ prepare: () throws -> Void = {}
  ) throws -> Device {
    try volume.install("europe", of: repository)
    try prepare()
    try Programs.run("cp", "-a", root, "\(scratch.path)/start")
    try volume.fill(leaving: free)
    return try Device(repository.url, root: root, trusting: repository, settings: "low_space = in-place")
  }

  /// The same device without a connection.
  func offline(_ repository: PublishedRepository, _ settings: String...) throws -> Device {
    try Device(
      "https://127.0.0.1:1", root: root, trusting: repository,
      settings: (["low_space = in-place", "offline = yes"] + settings).joined(separator: "\n"))
  }

  /// What a device with room for both has after the update.
  func updated(_ repository: PublishedRepository) throws -> [String: String] {
    let device = try Device(repository.url, trusting: repository)
    #expect(try device.run("install", "europe").exit == 0)
    return try device.installed()
  }

  /// Kills `apply` at the first of these calls from which on there is no way back.
  func kill(_ device: Device, at call: String, with text: String = "") throws {
    let calls = try SystemCalls.callsWithoutWayBack(of: device, log: "\(scratch.path)/calls")
    let chosen = try #require(
      calls.first { $0.point.call.hasPrefix(call) && (text.isEmpty || $0.line.contains(text)) })
    // How often it notes its place, and so the number of the call, depends on the time.
    for _ in 1...10 {
      try reset()
      guard try SystemCalls.kills(device, ["apply"], at: chosen.point) else { continue }
      if try names(root).contains("in-place"), try names("\(root)/in-place").contains("base") { return }
    }
    throw Unmet("not killed at \(chosen.line)")
  }

  /// The store is as it was before the update.
  func reset() throws {
    try Programs.run("rm", "-rf", root)
    try Programs.run("cp", "-a", "\(scratch.path)/start", root)
  }
}
