import Testing

@testable import Publisher

@Suite("ControlGroup")
struct ControlGroupTests {
  private let scratch: TestRepository

  init() throws { scratch = try TestRepository() }

  private func group(_ membership: String, files: [String: String]) throws -> ControlGroup {
    try scratch.write("membership", membership)
    for (name, text) in files { try scratch.write("root/\(name)", text) }
    return ControlGroup(root: "\(scratch.input)/root", membership: "\(scratch.input)/membership")
  }

  @Test("version 2: the lowest limit between the group and the root counts")
  func second() throws {
    let group = try group(
      "0::/machine.slice/job\n",
      files: [
        "memory.max": "8589934592\n", "machine.slice/memory.max": "4294967296\n",
        "machine.slice/job/memory.max": "max\n", "machine.slice/cpu.max": "max 100000\n",
        "machine.slice/job/cpu.max": "250000 100000\n",
      ])
    #expect(group.memory == 4 << 30 && group.processors == 3)
  }

  @Test("in a container whose group is the root, its own limits are there")
  func container() throws {
    let group = try group("0::/\n", files: ["memory.max": "536870912\n", "cpu.max": "50000 100000\n"])
    #expect(group.memory == 512 << 20 && group.processors == 1)
    // A container may see the path that its host has.
    let path = try self.group("0::/docker/0123\n", files: [:])
    #expect(path == group)
  }

  @Test("version 1: memory and processor time have trees of their own")
  func first() throws {
    let group = try group(
      "5:memory:/docker/x\n4:cpu,cpuacct:/docker/x\n3:cpuset:/\n0::/\n",
      files: [
        "memory/docker/x/memory.limit_in_bytes": "1073741824\n",
        "memory/memory.limit_in_bytes": "9223372036854771712\n",
        "cpu/docker/x/cpu.cfs_quota_us": "400000\n", "cpu/docker/x/cpu.cfs_period_us": "100000\n",
        "cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n",
      ])
    #expect(group.memory == 1 << 30 && group.processors == 4)
  }

  @Test("without control groups, or with something else in their place, nothing is limited")
  func none() throws {
    #expect(
      try group("", files: [:]) == group("0::/\nnonsense\n", files: ["memory.max": "", "cpu.max": "1 0\n"]))
    #expect(try group("", files: [:]).memory == nil && group("", files: [:]).processors == nil)
    let missing = ControlGroup(root: "/nonexistent", membership: "/nonexistent")
    #expect(missing.memory == nil && missing.processors == nil)
  }
}
