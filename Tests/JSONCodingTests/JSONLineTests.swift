import JSONCoding
import Testing

@Suite("Lines of JSON")
struct JSONLineTests {
  private enum Colour: String, Codable { case red, green }

  private struct Point: Codable, Equatable {
    var y: Int
    var x: UInt8
    var name: String?
  }

  private struct Drawing: Codable, Equatable {
    var title: String
    var isOpen: Bool
    var colour: Colour
    var points: [Point]
    var sizes: [UInt64?]
    var lines: [[Int]]
  }

  @Test("members stand in the order of the properties, absent ones are left out, and null is in arrays alone")
  func order() throws {
    let drawing = Drawing(
      title: "a\"\\\n\u{85}é", isOpen: true, colour: .green,
      points: [Point(y: -1, x: 2), Point(y: 0, x: 0, name: "")], sizes: [7, nil, .max], lines: [[], [1, 2]])
    let text = JSONLine.text(drawing)
    #expect(
      text == #"{"title":"a\"\\\u000a\u0085é","isOpen":true,"colour":"green","points":[{"y":-1,"x":2},"#
        + #"{"y":0,"x":0,"name":""}],"sizes":[7,null,9223372036854775807],"lines":[[],[1,2]]}"#)
    var read = drawing
    // The largest number that is written.
    read.sizes[2] = UInt64(Int64.max)
    #expect(try JSONLine.value(Drawing.self, parsing: Array(text.utf8)) == read)
  }

  @Test("the members of two values are those of one object, also where one of them has none")
  func joined() {
    struct Nothing: Encodable {}
    let (a, b) = (Point(y: 1, x: 2), Point(y: 3, x: 4, name: "b"))
    #expect(JSONLine.text(Joined(a, b)) == #"{"y":1,"x":2,"y":3,"x":4,"name":"b"}"#)
    #expect(JSONLine.text(Joined(Nothing(), a)) == #"{"y":1,"x":2}"#)
    #expect(JSONLine.text([Joined(a, Nothing())]) == #"[{"y":1,"x":2}]"#)
    #expect(JSONLine.text(Nothing()) == "{}" && JSONLine.text([Point]()) == "[]")
  }

  @Test(
    "a text of another form is refused",
    arguments: [
      #"{"y":1}"#, #"{"y":1,"x":256}"#, #"{"y":1,"x":-1}"#, #"{"y":"1","x":2}"#, #"{"y":true,"x":2}"#,
      #"{"y":null,"x":2}"#, #"{"y":1,"x":2,"name":3}"#, #"[{"y":1,"x":2}]"#, "[]", "{}",
    ])
  func otherType(text: String) {
    #expect(throws: JSONLine.Flaw.otherType) {
      try JSONLine.value(Point.self, parsing: Array(text.utf8))
    }
  }

  @Test("what is not JSON is refused, at every end of a text, and further members do not matter")
  func damaged() throws {
    let text = Array(#"{"x":1,"more":[{}],"y":2,"name":null}"#.utf8)
    #expect(try JSONLine.value(Point.self, parsing: text) == Point(y: 2, x: 1))
    for end in 0..<text.count {
      #expect(throws: JSONLine.Flaw.self) {
        try JSONLine.value(Point.self, parsing: Array(text[..<end]))
      }
    }
  }
}
