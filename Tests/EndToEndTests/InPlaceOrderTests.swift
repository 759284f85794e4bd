import TestSupport
import Testing

extension EndToEnd {
  /// An old map is given up when what was made of it is durable (`docs/design.md`, In place).
  @Suite(
    "Order in place", .enabled(if: Volume.isPossible, "mounting file systems takes root"),
    .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
  struct InPlaceOrderTests {
    private let repository: PublishedRepository
    private let scratch: Scratch
    /// Has a device at release 1, whose store is the same for each run.
    private let origin: Volume
    private let volume: Volume

    init() throws {
      scratch = try Scratch("in-place-order")
      repository = try LargeMaps.shared.get()
      origin = try Volume(megabytes: 64)
      try origin.install("europe", of: repository)
      volume = try Volume(megabytes: 64)
    }

    /// A copy of it, without room for two copies of the maps.
    private func device() throws -> Device {
      try Programs.run("rm", "-rf", volume.store, "\(volume.path)/filler")
      try Programs.run("cp", "-a", origin.store, volume.store)
      try volume.fill(leaving: 20 << 20)
      return try Device(
        repository.url, root: volume.store, trusting: repository, settings: "low_space = in-place")
    }

    @Test("nothing of an old map goes before what was made of it is durable")
    func steps() throws {
      let device = try device()
      let traced = try TracedRun(of: device, ["apply"], in: scratch)
      #expect(traced.count { if case .punch = $0 { true } else { false } } >= 2)
      try traced.check(flushes: 30)
    }

    @Test("what a killed run has taken and not written down is given back durably")
    func undone() throws {
      let call = try #require(try SystemCalls.callAfterBase(of: device(), log: "\(scratch.path)/calls"))
      let device = try device()
      try #require(try SystemCalls.kills(device, ["apply"], at: call.point))
      #expect(try names("\(device.root)/in-place").contains("base"))
      try TracedRun(of: device, ["apply"], in: scratch).checkAfterKill()
      #expect(try device.release() == 2)
    }

    @Test("a run after a killed one makes durable what it finds before it goes on")
    func afterKill() throws {
      let log = "\(scratch.path)/calls"
      let points = try SystemCalls.callsWithoutWayBack(of: device(), log: log).map(\.point)
      try #require(points.count > 20)
      var killed = 0
      for place in stride(from: 0, to: points.count, by: SystemCalls.areAllTried ? 1 : points.count / 6) {
        let device = try device()
        guard try SystemCalls.kills(device, ["apply"], at: points[place]) else { continue }
        killed += 1
        try TracedRun(of: device, ["apply"], in: scratch).checkAfterKill()
        #expect(try device.release() == 2)
      }
      #expect(killed >= 4)
    }
  }
}
