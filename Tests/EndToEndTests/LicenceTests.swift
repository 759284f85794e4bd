import TestSupport
import Testing

extension EndToEnd {
  /// What the programs are made of, and under which terms.
  @Suite("Licences")
  struct LicenceTests {
    @Test("both programs name every library that is pinned, and their own licence", arguments: [true, false])
    func named(isDevice: Bool) throws {
      let program = try isDevice ? Programs.tinyupdater() : Programs.tinypublish()
      let pins = try String(decoding: contents("\(Checkout.root)/cross/pins"), as: UTF8.self)
      for text in [
        try Programs.run(program, "--version", "--licenses"), try Programs.run(program, "--licenses"),
      ] {
        let text = text.lowercased()
        #expect(text.hasPrefix("tinyupdater            apache-2.0 with swift-exception"))
        for line in pins.split(separator: "\n") where !line.hasPrefix("#") {
          let name = line.prefix { $0 != " " && $0 != "-" }
          #expect(text.contains(name), "\(name)")
        }
        #expect(text.contains(isDevice ? "musl" : "swift-argument-parser"))
      }
    }
  }
}
