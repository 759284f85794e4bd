internal import CExpat
internal import Platform

/// Where a reader gets its bytes from.
package protocol ByteSource: ~Copyable {
  /// Fills the front of `buffer`; returns the byte count, 0 at the end.
  mutating func read(into buffer: inout MutableRawSpan) throws(CatalogError) -> Int
}

/// One attribute of an element.
package struct XMLAttribute {
  let name: String
  let value: String
}

/// What a document consists of, in its order.
package enum XMLEvent {
  case start(name: String, attributes: [XMLAttribute])
  case end(name: String)
  /// The document's end.
  case finish
}

/// A reader that is asked for one element at a time, in constant memory.
///
/// Owns one expat parser, which stops after each tag and is resumed by the next question.
package struct XMLReader<Source: ByteSource & ~Copyable>: ~Copyable {
  private let expat: ExpatParser
  private var source: Source
  private var fed: UInt64 = 0
  private let limit: UInt64
  private var isSuspended = false
  private var isAtEnd = false
  package let path: String

  /// `limit`: bytes that the document may have.
  package init(_ source: consuming Source, path: String, limit: UInt64 = Limits.document) throws(CatalogError)
  {
    guard let expat = ExpatParser() else { throw .malformed(path: path, line: 0, .outOfMemory) }
    self.expat = expat
    self.limit = limit
    self.source = source
    self.path = path
  }

  private var parser: XML_Parser { expat.parser }
  private var state: UnsafeMutablePointer<XMLParserState> { expat.state }

  /// Where the reader is, for whoever has to complain.
  package var position: XMLPosition { XMLPosition(parser) }

  /// The line that was read last, counted from 1.
  var line: Int { position.line }

  /// The text since the last tag, without the white space at its ends.
  var text: String {
    var bytes = state.pointee.text[...]
    while let first = bytes.first, first <= UInt8(ascii: " ") { bytes = bytes.dropFirst() }
    while let last = bytes.last, last <= UInt8(ascii: " ") { bytes = bytes.dropLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Gives the text behind the tag that was read last to `scanner` instead of keeping it; nil: to nobody.
  mutating func beginScanning(_ scanner: PolygonScanner?) {
    state.pointee.textUse = scanner.map { .scan($0) } ?? .drop
  }

  /// Keeps text again; what has become of the scanner.
  mutating func endScanning() -> PolygonScanner? {
    defer { state.pointee.textUse = .keep }
    guard case .scan(let scanner) = state.pointee.textUse else { return nil }
    return scanner
  }

  package func malformed(_ flaw: XMLFlaw) -> CatalogError { .malformed(path: path, line: line, flaw) }

  /// The next tag, or the end of the document.
  package mutating func next() throws(CatalogError) -> XMLEvent {
    while true {
      if let event = state.pointee.take() { return event }
      if isAtEnd && !isSuspended { return .finish }
      let status = try isSuspended ? XML_ResumeParser(parser) : feed()
      if let flaw = state.pointee.flaw { throw malformed(flaw) }
      isSuspended = status == XML_STATUS_SUSPENDED
      guard status != XML_STATUS_ERROR else { throw malformed(flaw(XML_GetErrorCode(parser))) }
      // A tag that does not end makes expat hold ever more of it.
      let parsed = UInt64(clamping: XML_GetCurrentByteIndex(parser))
      if !isSuspended, fed - min(fed, parsed) > Limits.tag, !isAtEnd { throw malformed(.tooLarge) }
    }
  }

  private mutating func feed() throws(CatalogError) -> XML_Status {
    // expat's own buffer: the bytes are read where it wants them, and not copied.
    let capacity = 8 << 10
    guard let memory = XML_GetBuffer(parser, CInt(capacity)) else { throw malformed(.outOfMemory) }
    let buffer = UnsafeMutableRawBufferPointer(start: memory, count: capacity)
    var bytes = MutableRawSpan(_unsafeBytes: buffer)
    let count = try source.read(into: &bytes)
    fed += UInt64(count)
    guard fed <= limit else { throw malformed(.documentTooLarge(limit: limit)) }
    isAtEnd = count == 0
    return XML_ParseBuffer(parser, CInt(count), isAtEnd ? 1 : 0)
  }

  private func flaw(_ error: XML_Error) -> XMLFlaw {
    switch error {
    case XML_ERROR_NO_MEMORY: .outOfMemory
    case XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN: .truncated
    default: .syntax(expat: error.rawValue)
    }
  }
}

/// Where a parser is; valid as long as its reader.
///
/// The line is counted when it is asked for: counting at every tag takes a twentieth of the time of a catalog.
package struct XMLPosition {
  private let parser: XML_Parser

  init(_ parser: XML_Parser) { self.parser = parser }

  /// Counted from 1.
  var line: Int { Int(XML_GetCurrentLineNumber(parser)) }
}

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

  deinit {
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
    _ name: UnsafePointer<CChar>?, _ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) {
    depth += 1
    guard depth <= Limits.depth else { return refuse(.tooDeep) }
    text.removeAll(keepingCapacity: true)
    var attributes: [XMLAttribute] = []
    if let list, list[0] != nil {
      attributes.reserveCapacity(Int(XML_GetSpecifiedAttributeCount(parser)) / 2)
    }
    var index = 0
    while let list, let key = list[index], let value = list[index + 1] {
      let attribute = XMLAttribute(name: String(cString: key), value: String(cString: value))
      guard attribute.value.utf8.count <= Limits.attribute else { return refuse(.tooLarge) }
      attributes.append(attribute)
      index += 2
    }
    add(.start(name: String(platformString: name), attributes: attributes))
  }

  fileprivate mutating func end(_ name: UnsafePointer<CChar>?) {
    depth -= 1
    add(.end(name: String(platformString: name)))
  }

  fileprivate mutating func append(_ bytes: UnsafePointer<CChar>?, _ count: CInt) {
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
    guard text.count + Int(count) <= Limits.text else { return refuse(.tooLarge) }
    text.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: Int(count)))
  }
}

/// The callbacks of expat; C can carry no Swift context, so they are free functions.
private enum XMLCallback {
  static let start: XML_StartElementHandler = { parserState($0)?.pointee.start($1, $2) }
  static let end: XML_EndElementHandler = { context, name in parserState(context)?.pointee.end(name) }
  static let text: XML_CharacterDataHandler = { parserState($0)?.pointee.append($1, $2) }
  static let doctype: XML_StartDoctypeDeclHandler = { context, _, _, _, _ in
    parserState(context)?.pointee.refuse(.hasDoctype)
  }
}

private func parserState(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<XMLParserState>? {
  context?.assumingMemoryBound(to: XMLParserState.self)
}
