import Foundation
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// `docs/format/patch.md` and its reference applier, compared with the patches of `tinypublish`.
  @Suite("Reference applier")
  struct ReferenceApplierTests {
    private let scratch: Scratch
    private static let applier = "\(Checkout.root)/docs/format/apply-patch.py"
    private static let folder = "\(Checkout.root)/Tests/EndToEndTests/reference-applier"

    init() throws { scratch = try Scratch("reference") }

    private func path(_ name: String) -> String { "\(scratch.path)/\(name)" }

    /// Makes a patch; the digest of its head and first frame.
    private func diff(_ old: String, _ new: String, _ patch: String) throws -> String {
      let words = ["diff", path(old), path(new), "-o", path(patch), "--json"]
      let outcome = try ChildProcess.run(Programs.tinypublish(), words)
      try #require(outcome.status == 0, "\(old): \(outcome.error)")
      let figures = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
      return try #require(figures?["head"] as? String)
    }

    private func apply(
      _ old: String, _ patch: String, _ new: String, head: String
    ) throws -> ChildProcess.Outcome {
      try ChildProcess.run("python3", [Self.applier, path(old), path(patch), path(new), head], timeout: 60)
    }

    private func makePairs(_ seed: Int) throws {
      try Programs.run("python3", "\(Self.folder)/pairs.py", scratch.path, "\(seed)")
    }

    @Test(
      "the reference applier makes the new file of every patch that tinypublish makes", arguments: [1, 2])
    func pairs(seed: Int) throws {
      try makePairs(seed)
      let names = try scratch.names().filter { $0.hasSuffix(".old") }.map { String($0.dropLast(4)) }
      #expect(names.count == 22)
      for name in names {
        let head = try diff("\(name).old", "\(name).new", "\(name).patch")
        let outcome = try apply("\(name).old", "\(name).patch", "\(name).made", head: head)
        #expect(outcome.status == 0, "\(name), seed \(seed): \(outcome.error)")
        #expect(
          try digest(path("\(name).made")) == digest(path("\(name).new")), "\(name), seed \(seed)")
      }
    }

    @Test("the device and the reference applier accept and reject the same damaged patches")
    func mutations() throws {
      try makePairs(3)
      // One stored frame, whose digest is not compared: the damage reaches the innermost layer.
      for (name, step) in [("few", 1), ("stream", 1), ("digits", 1), ("similar", 3)] {
        _ = try diff("\(name).old", "\(name).new", "\(name).patch")
        // One of them has a sorted section.
        #expect(try (scratch.read("\(name).patch")[4] >= 0x80) == (name == "similar"))
        try scratch.makeDirectory("damaged")
        let expected = try Programs.run(
          "python3", "\(Self.folder)/mutations.py", Self.applier, path("\(name).old"), path("\(name).patch"),
          path("damaged"), "\(step)")
        for line in expected.split(separator: "\n") {
          let words = line.split(separator: " ").map(String.init)
          let outcome = try ChildProcess.run(
            Programs.tinyupdater(), ["patch", path("\(name).old"), path("damaged/\(words[0])"), path("made")])
          let made = outcome.status == 0 ? try digest(path("made")) : "rejected"
          #expect(made == words[1], "\(name), bit \(words[0]): \(outcome.error)")
        }
        try Directory(opening: scratch.path).removeTree("damaged")
      }
    }

    @Test("what is not the patch that the catalog names is refused, and nothing is written")
    func refused() throws {
      try makePairs(4)
      let head = try diff("frames.old", "frames.new", "patch")
      var damaged = try scratch.read("patch")
      damaged[damaged.count - 20] ^= 1
      try scratch.write("damaged", damaged)
      for (patch, head) in [("damaged", head), ("patch", String(repeating: "0", count: 64))] {
        let outcome = try apply("frames.old", patch, "made", head: head)
        #expect(outcome.status == 1 && outcome.error.contains("digest of a frame"), "\(outcome)")
        #expect(try !scratch.exists("made"))
      }
    }

    @Test("the example in the document is the patch that tinypublish makes of its files")
    func example() throws {
      let document = String(
        decoding: try contents("\(Checkout.root)/docs/format/patch.md"), as: UTF8.self)
      let section = try #require(document.components(separatedBy: "\n## Example\n").last)
      let blocks = section.components(separatedBy: "\n```\n").enumerated().filter { $0.offset % 2 == 1 }
      let commands = blocks[0].element.split(separator: "\n").map(String.init)
      let bytes = blocks[1].element.split(separator: "\n").flatMap { line in
        line.split(separator: " ").dropFirst().compactMap { UInt8($0, radix: 16) }
      }
      #expect(commands.count == 3 && bytes.count == 52)
      try Programs.run("sh", "-c", "cd '\(scratch.path)' && \(commands[0]) && \(commands[1])")
      let head = try diff("old", "new", "patch")
      #expect(try scratch.read("patch") == bytes)
      #expect(try apply("old", "patch", "made", head: head).status == 0)
      #expect(try digest(path("made")) == digest(path("new")))
    }
  }
}
