import Foundation
import TestSupport
import Testing

/// What other programs rely on, compared with the record of it.
@Suite("Contract")
struct ContractTests {
  private static let path = "Tests/TinyUpdaterTests/contract.txt"

  @Test(
    "E9: names and numbers that others rely on are the recorded ones; to change one is to edit the record")
  func recorded() throws {
    let text = try Contract.text()
    if environment("TINYUPDATER_WRITE_CONTRACT") != nil {
      try text.write(toFile: "\(Checkout.root)/\(Self.path)", atomically: true, encoding: .utf8)
    }
    let recorded = Set(try Source(Self.path).lines)
    let present = Set(text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    for fact in recorded.subtracting(present).sorted() {
      Issue.record("no longer so: \(fact); docs/contract.md says what may change")
    }
    for fact in present.subtracting(recorded).sorted() {
      Issue.record("not recorded: \(fact); `make contract` records it")
    }
  }

  @Test("every section of the record has facts")
  func complete() throws {
    let counts = [
      Contract.commands().count, try Contract.publisherCodes().count, try Contract.publisherCommands().count,
      Contract.settings().count, try Contract.events().count, try Contract.publisherEvents().count,
      try Contract.members().count,
      try Contract.storeFiles().count, try Contract.installedFiles().count,
    ]
    for (count, least) in zip(counts, [40, 8, 18, 27, 24, 14, 30, 30, 10]) {
      #expect(count >= least, "\(counts)")
    }
  }

  @Test("events.md names every recorded event")
  func documented() throws {
    let document = try Source("docs/events.md").lines.joined(separator: "\n")
    for event in try Contract.events() {
      #expect(document.contains("`\(event)`") || document.contains("\"event\":\"\(event)\""), "\(event)")
    }
  }
}
