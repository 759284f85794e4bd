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
