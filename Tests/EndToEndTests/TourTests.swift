import Foundation
import TestSupport
import Testing

extension EndToEnd {
  /// What documents show of the programs.
  @Suite("The tour")
  struct TourTests {
    @Test("docs/tour.md shows what the programs print, but for figures and times; make tour writes it")
    func tour() throws {
      let outcome = try ChildProcess.run(
        "\(Checkout.root)/scripts/tour", [], environment: ["RATE": "0", "PLACES": "2000"], timeout: 300)
      #expect(outcome.status == 0, "\(outcome.error)")
      let recorded = try String(decoding: contents("\(Checkout.root)/docs/tour.md"), as: UTF8.self)
      #expect(words(outcome.output) == words(recorded))
    }

    /// The lines without figures, the widths of their columns, the states of a bar, and what the kernel confines.
    private func words(_ text: String) -> [String] {
      let lines = text.split(separator: "\n").filter { !$0.hasPrefix("[") && !$0.hasPrefix("confined ") }
      return lines.map { line in
        String(line).replacing(#/[0-9][0-9.:TZ-]*( ([kMGT]?B|ms|s|min)\b)?/#, with: "0").replacing(
          #/ +/#, with: " ")
      }
    }
  }
}
