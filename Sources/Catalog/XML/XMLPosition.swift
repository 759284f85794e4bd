internal import CExpat

/// Where a parser is; valid as long as its reader.
///
/// The line is counted when it is asked for: counting at every tag takes a twentieth of the time of a catalog.
package struct XMLPosition {
  private let parser: XML_Parser

  init(_ parser: XML_Parser) { self.parser = parser }

  /// Counted from 1.
  var line: Int { Int(XML_GetCurrentLineNumber(parser)) }
}
