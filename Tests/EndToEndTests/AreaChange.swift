import TestSupport
import Testing

/// Changes that the place of a device asks for.
extension StoreChange {
  /// What is around it comes.
  static func arriving(_ files: Scratch) throws -> StoreChange {
    try moving(files, from: nil, to: ("36.05", "14.2"), new: ["europe/gozo", "europe/malta", "signs"])
  }

  /// What it has left long ago goes.
  static func departing(_ files: Scratch) throws -> StoreChange {
    try moving(files, from: ("36.05", "14.2"), to: ("0", "0"), new: ["signs"])
  }

  private static func moving(
    _ files: Scratch, from before: (String, String)?, to after: (String, String), new: [String]
  ) throws -> StoreChange {
    let sample = try TreeSample.shared.get()
    let settings = "area_radius = 20K\narea_keep = 1d"
    let start = try sample.device(settings: settings)
    #expect(try start.run("install", "signs").exit == 0)
    for (latitude, longitude) in [before, after].compactMap({ $0 }) {
      try start.ageArea(by: 3 * 86_400)
      #expect(try start.run("position", latitude, longitude).exit == 0)
      if before != nil, latitude != after.0 { #expect(try start.run("apply").exit == 0) }
    }
    if before != nil { try start.ageArea(by: 3 * 86_400) }
    let device = try sample.device(settings: settings)
    let wanted = try sample.device(installing: "europe/malta", "europe/gozo", "signs")
    let expected = try wanted.installed().filter { name, _ in new.contains { name.hasPrefix("\($0)/") } }
    var change = try StoreChange(["apply"], from: start, device, new: expected, files: files)
    // What could not be begun waits for the next update.
    change.isDone = { () throws in
      if try device.seen() == expected { return true }
      return try !device.queue().isEmpty
    }
    change.check = { () throws in
      #expect(try device.run("verify").exit == 0)
      // What a user has installed is that user's, and the rest is not.
      let known = try device.json("list", "--installed").nodes.filter { $0["area"] != nil }
      #expect(known.compactMap { $0["id"] as? String } == new.filter { $0 != "signs" })
    }
    return change
  }
}

extension Device {
  /// Lets time pass: what it has written down of its place and of what came with it becomes older by `seconds`.
  func ageArea(by seconds: Int) throws {
    try Programs.run("python3", "\(Checkout.root)/scripts/lib/older.py", root, "\(seconds)")
  }
}
