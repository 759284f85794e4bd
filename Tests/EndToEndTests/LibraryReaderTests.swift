import Foundation
import Glibc
import TestSupport
import Testing

extension EndToEnd.ReaderTests {
  @Test(
    "E10, G4: the same reader in C, Swift, Python and shell sees whole maps of one release through updates and rollbacks"
  )
  func languages() throws {
    var readers: [ChildProcess] = []
    for kind in ExampleReader.allCases {
      let (words, environment) = try kind.command(in: scratch)
      readers.append(try start(words + ["--check"], environment: environment))
    }
    readers.append(try start(["sh", script, "--check"], environment: [:]))
    let least = 30
    try makeSwitches(1...least)
    for (index, reader) in readers.enumerated() {
      let counts = try stop(reader)
      let name = index < ExampleReader.allCases.count ? "\(ExampleReader.allCases[index])" : "shell"
      #expect(counts.failures == 0, "\(name): \(counts)")
      #expect(counts.views >= 2, "\(name): \(counts)")
      #expect(Set(counts.releases) == [1, 2], "\(name): \(counts)")
    }
  }

  @Test(
    "readers in every language say that nothing is installed, and which map cannot be read",
    arguments: ExampleReader.allCases)
  func failing(_ kind: ExampleReader) throws {
    let (words, environment) = try kind.command(in: scratch)
    func read(_ root: String) throws -> ChildProcess.Outcome {
      try ChildProcess.run(words[0], words[1...] + [root], environment: environment)
    }
    let nothing = try read(scratch.path)
    #expect(nothing.status == 2 && nothing.output == "", "\(nothing)")
    let whole = try read(device.root)
    #expect(whole.status == 0, "\(whole)")
    #expect(whole.output.split(separator: "\n").dropFirst().allSatisfy { $0.hasSuffix(" ok") })
    #expect(whole.output.split(separator: "\n").first?.hasSuffix("generations/1 release 1 2024-01") == true)
    let maps = "\(device.root)/generations/1/maps"
    try Programs.run("truncate", "-s", "-1", "\(maps)/europe/malta/base.bin")
    try Programs.run("rm", "\(maps)/world/base.bin")
    let damaged = try read(device.root)
    #expect(damaged.status == 1, "\(damaged)")
    let lines = damaged.output.split(separator: "\n").dropFirst()
    #expect(lines.map { $0.hasSuffix(" ok") } == [true, false, true, false], "\(damaged.output)")
    // A manifest that ends too early is no release.
    let manifest = String(decoding: try contents("\(device.root)/generations/1/manifest"), as: UTF8.self)
    for text in ["", String(manifest.dropLast(69)), manifest.replacing("manifest 1", with: "manifest 2")] {
      try scratch.write("other/generations/7/manifest", text)
      try Programs.run("ln", "-sfn", "generations/7", "\(scratch.path)/other/current")
      let unusable = try read("\(scratch.path)/other")
      #expect(unusable.status == 1, "\(unusable)")
    }
  }

  @Test(
    "G4: the module for Python has every operation, and events are those of the command line",
    arguments: ["program", "service"])
  func python(_ way: String) throws {
    let (_, environment) = try ExampleReader.python.command(in: scratch)
    let outcome = try ChildProcess.run(
      "python3",
      [
        "\(Checkout.root)/Tests/EndToEndTests/navigation/operations.py", way, device.root,
        Programs.tinyupdater(),
        device.configuration,
      ], environment: environment, timeout: 120)
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.error)")
  }
}
