internal import JSONReading
internal import MapService

/// Members of an event, or of an object in it.
struct EventContent {
  private let value: JSONValue

  init(_ event: MapEvent) { value = event.content }
  private init(_ value: JSONValue) { self.value = value }

  var name: String { text("event") }
  var result: MapResultCode { MapResultCode(MapResult(exit: value.member("exit")?.whole ?? -1)) }

  /// Empty if it is missing.
  func text(_ name: String) -> String { textIfAny(name) ?? "" }
  func textIfAny(_ name: String) -> String? { value.member(name)?.text }
  /// 0 if it is missing.
  func number(_ name: String) -> UInt64 { numberIfAny(name) ?? 0 }
  func numberIfAny(_ name: String) -> UInt64? { value.member(name)?.whole.flatMap { UInt64(exactly: $0) } }
  func count(_ name: String) -> Int { Int(clamping: number(name)) }
  func flag(_ name: String) -> Bool { value.member(name)?.flag ?? false }

  func object(_ name: String) -> EventContent? {
    guard let member = value.member(name), member.kind == .object else { return nil }
    return EventContent(member)
  }

  func texts(_ name: String) -> [String] {
    var texts: [String] = []
    value.member(name)?.forEachElement { element in if let text = element.text { texts.append(text) } }
    return texts
  }

  func numbers(_ name: String) -> [Double] {
    var numbers: [Double] = []
    value.member(name)?.forEachElement { element in
      if let number = element.number.flatMap({ Double($0) }) { numbers.append(number) }
    }
    return numbers
  }

  func objects(_ name: String) -> [EventContent] {
    var objects: [EventContent] = []
    value.member(name)?.forEachElement { element in
      if element.kind == .object { objects.append(EventContent(element)) }
    }
    return objects
  }

  func release(_ name: String) -> MapRelease? { object(name).map { MapRelease($0) } }

  /// All of it, as JSON.
  var json: String { value.jsonText }
}
