import MapModel
import Testing

@testable import MapModel

@Suite("Operation")
struct OperationTests {
  @Test(
    "a region contains itself and what is below it, and nothing that only begins alike",
    arguments: [
      ("europe", "europe", true), ("europe", "europe/malta", true),
      ("europe/france", "europe/france/alsace", true),
      ("europe", "europes", false), ("europe", "europe-west/malta", false), ("europe/malta", "europe", false),
      ("europe/mal", "europe/malta", false), ("malta", "europe/malta", false),
      ("europe", "Europe/malta", false),
    ])
  func region(region: String, id: String, expected: Bool) {
    #expect(Operation.region(region, contains: id) == expected)
  }

  @Test(
    "what is wanted is what is installed, with or without what is asked for",
    arguments: [
      (.update(), "a/x", true, true), (.update(), "a/x", false, false), (.install(["a"]), "a/x", false, true),
      (.install(["a"]), "b", false, false), (.install(["a"]), "b", true, true),
      (.uninstall(["a"]), "a/x", true, false), (.uninstall(["a"]), "b", true, true),
      (.uninstall(["a"]), "b", false, false),
    ] as [(Operation, String, Bool, Bool)])
  func wants(operation: Operation, id: String, isInstalled: Bool, expected: Bool) {
    #expect(operation.wants(id, isInstalled: isInstalled) == expected)
  }
}
