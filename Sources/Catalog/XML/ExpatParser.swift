internal import CExpat
internal import Platform

/// One expat parser and the place where its callbacks leave what they saw.
public struct ExpatParser: ~Copyable {
  let parser: XML_Parser
  let state: UnsafeMutablePointer<XMLParserState>

  /// Nil when there is no memory.
  init?() {
    let made = XML_ParserCreate("UTF-8")
    guard let made else { return nil }
    parser = made
    state = .allocate(capacity: 1)
    state.initialize(to: XMLParserState(parser: made))
    XML_SetUserData(made, state)
    XML_SetElementHandler(made, XMLCallback.start, XMLCallback.end)
    XML_SetCharacterDataHandler(made, XMLCallback.text)
    XML_SetStartDoctypeDeclHandler(made, XMLCallback.doctype)
  }

  @inline(never) deinit {
    XML_ParserFree(parser)
    state.deinitialize(count: 1)
    state.deallocate()
  }
}

/// What becomes of the text between tags.
enum TextUse {
  case keep
  case drop
  /// It goes through this, byte by byte.
  case scan(PolygonScanner)
}

/// What the callbacks of expat leave for the reader.
struct XMLParserState {
  private let parser: XML_Parser
  private var events: [XMLEvent] = []  // at most two: an empty element starts and ends at once
  private var depth = 0
  private(set) var text: [UInt8] = []
  var textUse = TextUse.keep
  private(set) var flaw: XMLFlaw?

  init(parser: XML_Parser) { self.parser = parser }

  mutating func take() -> XMLEvent? { events.isEmpty ? nil : events.removeFirst() }

  private mutating func add(_ event: XMLEvent) {
    events.append(event)
    _ = XML_StopParser(parser, 1)
  }

  fileprivate mutating func refuse(_ flaw: XMLFlaw) {
    self.flaw = flaw
    _ = XML_StopParser(parser, 0)
  }

  fileprivate mutating func start(
    _ name: UnsafePointer<CChar>?, attributes list: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) {
    depth += 1
    guard depth <= CatalogLimits.depth else { return refuse(.tooDeep) }
    text.removeAll(keepingCapacity: true)
    var attributes: [XMLAttribute] = []
    if let list, list[0] != nil {
      attributes.reserveCapacity(Int(XML_GetSpecifiedAttributeCount(parser)) / 2)
    }
    var index = 0
    while let list, let key = list[index], let value = list[index + 1] {
      let attribute = XMLAttribute(name: String(cString: key), value: String(cString: value))
      guard attribute.value.utf8.count <= CatalogLimits.attribute else { return refuse(.tooLarge) }
      attributes.append(attribute)
      index += 2
    }
    add(.start(name: String(platformString: name), attributes: attributes))
  }

  fileprivate mutating func end(_ name: UnsafePointer<CChar>?) {
    depth -= 1
    add(.end(name: String(platformString: name)))
  }

  fileprivate mutating func append(_ bytes: UnsafePointer<CChar>?, count: CInt) {
    guard let bytes, count > 0 else { return }
    switch textUse {
    case .drop: return
    case .keep: break
    case .scan(var scanner):
      textUse = .drop  // one owner at a time
      for index in 0..<Int(count) { scanner.take(UInt8(bitPattern: bytes[index])) }
      textUse = .scan(scanner)
      return
    }
    guard text.count + Int(count) <= CatalogLimits.text else { return refuse(.tooLarge) }
    text.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: Int(count)))
  }
}

/// The callbacks of expat; C can carry no Swift context, so they are free functions.
private enum XMLCallback {
  static let start: XML_StartElementHandler = { parserState($0)?.pointee.start($1, attributes: $2) }
  static let end: XML_EndElementHandler = { context, name in parserState(context)?.pointee.end(name) }
  static let text: XML_CharacterDataHandler = { parserState($0)?.pointee.append($1, count: $2) }
  static let doctype: XML_StartDoctypeDeclHandler = { context, _, _, _, _ in
    parserState(context)?.pointee.refuse(.hasDoctype)
  }
}

private func parserState(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<XMLParserState>? {
  context?.assumingMemoryBound(to: XMLParserState.self)
}
