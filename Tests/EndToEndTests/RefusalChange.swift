import TestSupport
import Testing

extension StoreChange {
  /// An update without a package that the server does not give.
  static func leavingOut(_ sample: Sample, _ files: Scratch) throws -> StoreChange {
    let server = try WebServer(
      sample.repository.path, directives: sample.repository.denying("europe/malta") + " log_not_found off;")
    let start = try sample.device(at: 2)
    let device = try Device(server.url, settings: "refused = leave-out")
    let new = try #require(sample.expected[4]).filter { !$0.key.hasPrefix("europe/malta/") }
    var change = try StoreChange(["apply"], from: start, device, new: new, files: files)
    change.exit = 12
    change.owes = true
    change.exitsAgain = [0, 12]
    change.check = { () throws in
      // It waits for no more than that, and for that, whatever happened.
      withExtendedLifetime(server) {}
      #expect(try device.run("--repository", sample.repository.url, "apply").exit == 0)
      #expect(try device.installed() == sample.expected[4])
      #expect(try device.queue() == [])
    }
    return change
  }

  /// The package is given again.
  static func regaining(_ sample: Sample, _ files: Scratch) throws -> StoreChange {
    let server = try WebServer(
      sample.repository.path, directives: sample.repository.denying("europe/malta") + " log_not_found off;")
    let start = try sample.device(at: 2, of: server.url, settings: "refused = leave-out")
    #expect(try start.run("apply").exit == 12)
    let device = try Device(sample.repository.url, settings: "refused = leave-out")
    var change = try StoreChange(
      ["apply"], from: start, device, new: try #require(sample.expected[4]), files: files)
    change.changesAnother = true
    // What is owed comes, or waits for the next run.
    change.isDone = { try device.installed() == sample.expected[4] || device.queue().count == 1 }
    change.check = { () throws in
      #expect(try device.queue() == [])
      #expect(try device.run("verify").exit == 0)
    }
    return change
  }
}
