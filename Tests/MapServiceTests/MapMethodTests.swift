import JSONReading
import MapService
import Testing

@Suite("Methods of the service")
struct MapMethodTests {
  private static let parameters = """
    {"ids":["europe/malta","--root=/"],"groups":["search"],"latitude":1.5,"longitude":-2,"language":"de",
    "composite":true,"operation":7,"radius":5000,"stage":true}
    """

  @Test("the words that a method makes of parameters are its own", arguments: MapMethod.allCases)
  func own(method: MapMethod) throws {
    for parameters in [Self.parameters, "{}"] {
      let value = try JSONValue(message: Array(parameters.utf8))
      guard let words = try? method.words(value) else { continue }
      #expect(method.mayHave(words), "\(words)")
    }
    let others = MapMethod.allCases.filter { $0.name != method.name }
    let words = try method.words(try JSONValue(message: Array(Self.parameters.utf8)))
    for other in others where !["Update"].contains(other.name) { #expect(!other.mayHave(words), "\(words)") }
  }

  @Test("words with other options, or operands in front of the end of options, are not")
  func foreign() {
    for words in [
      [], ["apply", "--root=/tmp"], ["apply", "europe"], ["status", "-c", "x"], ["list", "--lang"],
      ["watch", "x"], ["groups"], ["cancel", "--operations=1", "--"], ["patch", "a", "b", "c"],
      ["at", "--from=x", "--", "1", "2"],
    ] {
      let permitted = MapMethod.allCases.filter { $0.mayHave(words) }.map(\.name)
      #expect(permitted == (words == ["groups"] ? ["GetGroups"] : []), "\(words)")
    }
  }

  @Test("no text of a call has a NUL, which would end a word")
  func nul() {
    #expect(throws: JSONError.self) { try JSONValue(message: Array(#"{"ids":["a\u0000--root=/"]}"#.utf8)) }
  }
}
