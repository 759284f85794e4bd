internal import CExpat
internal import Platform

/// A reader that is asked for one element at a time, in constant memory.
///
/// Owns one expat parser, which stops after each tag and is resumed by the next question.
package struct XMLReader<Source: ByteSource & ~Copyable>: ~Copyable {
  private let expat: ExpatParser
  private var source: Source
  private var fed: UInt64 = 0
  private let limit: UInt64
  /// How many bytes are read at a time.
  private let capacity: Int
  private var isSuspended = false
  private var isAtEnd = false
  package let path: String

  /// - `limit`: bytes that the document may have.
  /// - `capacity`: bytes that are read at a time; few, if little will be read.
  package init(
    _ source: consuming Source, path: String, limit: UInt64 = CatalogLimits.document, capacity: Int = 8 << 10
  ) throws(CatalogError) {
    guard let expat = ExpatParser() else { throw .malformed(path: path, line: 0, .outOfMemory) }
    self.expat = expat
    self.limit = limit
    self.capacity = capacity
    self.source = source
    self.path = path
  }

  private var parser: XML_Parser { expat.parser }
  private var state: UnsafeMutablePointer<XMLParserState> { expat.state }

  /// Where the reader is, for an error.
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

  /// Passes the text after the tag that was read last to `scanner` instead of keeping it; nil: drops it.
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
      if !isSuspended, fed - min(fed, parsed) > CatalogLimits.tag, !isAtEnd { throw malformed(.tooLarge) }
    }
  }

  private mutating func feed() throws(CatalogError) -> XML_Status {
    // expat's own buffer: the bytes are read where it wants them, and not copied.
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
