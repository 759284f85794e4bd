import Foundation
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// `config/tinyupdater.conf` and `tinyupdater.conf(5)`, compared with each other and with the program.
  @Suite("Documents of the configuration")
  struct ConfigurationDocumentTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch("configuration") }

    private static func lines(_ path: String) throws -> [String] {
      String(decoding: try contents("\(Checkout.root)/\(path)"), as: UTF8.self)
        .split(separator: "\n").map(String.init)
    }

    /// The settings of the example, without the `#` that disables them.
    private static func examples() throws -> [String] {
      try lines("config/tinyupdater.conf").compactMap { line in
        line.wholeMatch(of: /#([a-z_]+ = .+)/).map { String($0.1) }
      }
    }

    @Test("the program accepts every setting of the example configuration")
    func accepted() throws {
      let examples = try Self.examples()
      #expect(examples.count > 15)
      for example in examples + ["unknown_key = 1"] {
        try scratch.write("conf", "root = \(scratch.path)/store\n\(example)\n")
        let outcome = try ChildProcess.run(
          Programs.tinyupdater(),
          ["--config", "\(scratch.path)/conf", "--root", "\(scratch.path)/store", "status"])
        #expect((outcome.status == 78) == example.hasPrefix("unknown"), "\(example): \(outcome)")
      }
    }

    @Test("the example configuration and the manual page have the same keys")
    func sameKeys() throws {
      let keys = try Self.examples().map { String($0.prefix { $0 != " " }) }
      let documented = try Self.lines("docs/man/tinyupdater.conf.5").compactMap { line in
        line.hasPrefix(".It Cm ") ? line.split(separator: " ").dropFirst(2).first.map(String.init) : nil
      }
      #expect(keys.sorted() == documented.sorted())
    }
  }
}
