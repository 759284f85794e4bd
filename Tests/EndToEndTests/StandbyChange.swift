import Platform
import TestSupport
import Testing

/// Changes of what stands by.
extension StoreChange {
  /// An update that does not switch: the maps stay, and are then activated without a repository.
  static func staging(_ sample: Sample, _ files: Scratch) throws -> StoreChange {
    let start = try sample.device(at: 2)
    return try staging(sample, from: start, files)
  }

  /// The same while an older release stands by.
  static func stagingAgain(_ sample: Sample, _ files: Scratch) throws -> StoreChange {
    try staging(sample, from: try sample.device(at: 2, standingBy: 3), files)
  }

  private static func staging(_ sample: Sample, from start: Device, _ files: Scratch) throws -> StoreChange {
    let device = try sample.device(at: 2)
    var change = try StoreChange(
      ["apply", "--stage"], from: start, device, new: try #require(sample.expected[2]), files: files)
    change.isDone = { () throws in try device.standby() == 4 }
    change.check = { () throws in
      #expect(try device.standby() == 4)
      let offline = try Device("https://127.0.0.1:1", root: device.root)
      #expect(try offline.run("activate").exit == 0)
      #expect(try device.installed() == sample.expected[4])
      #expect(try device.staged == [])
      #expect(
        try names("\(device.root)/generations").filter {
          try !names("\(device.root)/generations/\($0)").isEmpty
        }.count == 2)
    }
    return change
  }

  /// The switch itself, which takes no repository.
  static func activating(_ command: String, _ sample: Sample, _ files: Scratch) throws -> StoreChange {
    let start = try sample.device(at: 2, standingBy: 4)
    let device = try Device(
      "https://127.0.0.1:1", settings: "offline = yes\nactivation = boot\nat_boot = nothing\nbase = /none")
    var change = try StoreChange(
      [command], from: start, device, new: try #require(sample.expected[4]), files: files)
    let new = change.new
    // A start gives a device the maps that it has, whatever comes in the way of others.
    if command == "boot" {
      change.isDone = { () throws in try device.seen() == new ? true : device.standby() == 4 }
    }
    // There is nothing that stands by any more.
    if command == "activate" { change.exitsAgain = [0, 64] }
    change.check = { () throws in
      #expect(try device.standby() == nil)
      #expect(try device.run("rollback").exit == 0)
      #expect(try device.installed() == sample.expected[2])
    }
    return change
  }

  /// Another operation while a release stands by, which then has to be staged again: without a download of what is there.
  static func uninstallingBesideStandby(_ sample: Sample, _ files: Scratch) throws -> StoreChange {
    let start = try sample.device(at: 2, standingBy: 4)
    let device = try sample.device(at: 2)
    try device.copyStore(of: start)
    #expect(try device.run("uninstall", "europe/malta").exit == 0)
    var change = try StoreChange(
      ["uninstall", "europe/malta"], from: start, device, new: try device.installed(), files: files)
    change.exitsAgain = [0, 64]
    change.check = { () throws in
      #expect(try device.json("status").event("status")["standby"] != nil)
      let run = try device.json("apply", "--stage")
      #expect(run.exit == 0)
      #expect(try run.number("plan", "download") == 0)
      #expect(try device.run("activate").exit == 0)
      let expected = try #require(sample.expected[4])
      #expect(try device.installed() == expected.filter { !$0.key.hasPrefix("europe/malta/") })
    }
    return change
  }
}

extension Sample {
  /// A device at `release` that has another release ready, and would ask the whole repository next.
  func device(at release: Int, standingBy next: Int) throws -> Device {
    let scratch = try Scratch("standby")
    let served = try repository.copy(to: "\(scratch.path)/repository", upTo: next)
    let earlier = try device(at: release, of: served.url)
    #expect(try earlier.run("apply", "--stage").exit == 0)
    let device = try Device(repository.url)
    try device.copyStore(of: earlier)
    #expect(try device.standby() == next)
    #expect(try device.installed() == expected[release])
    return device
  }
}

extension Device {
  /// The number of the release that can be activated; nil if none can.
  func standby() throws -> Int? {
    let standby = try json("status").event("status")["standby"] as? [String: Any]
    return standby?["ready"] as? Bool == true ? standby?["number"] as? Int : nil
  }

  /// The files in staging that belong to what stands by.
  func stagedForStandby() throws -> Set<String> {
    let path = "\(root)/standby"
    guard try Directory(opening: root).status(of: "standby") != nil else { return [] }
    let lines = String(decoding: try contents(path), as: UTF8.self).split(separator: "\n")
    let number = lines.first { $0.hasPrefix("generation ") }.map { String($0.dropFirst(11)) } ?? ""
    guard try Directory(opening: root).status(of: "generations/\(number)/manifest") != nil else {
      // What another operation made useless is staged until the next update.
      return Set(try staged)
    }
    let manifest = String(decoding: try contents("\(root)/generations/\(number)/manifest"), as: UTF8.self)
    return Set(manifest.split(whereSeparator: { " \n".contains($0) }).map(String.init))
  }
}
