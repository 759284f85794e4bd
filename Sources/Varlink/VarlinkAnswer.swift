package import JSONReading
package import Platform

/// A reply to a call, as its client gets it (varlink.org, "Method Reply").
package struct VarlinkAnswer {
  /// The full name of an error; nil if there was none.
  package let error: String?
  /// Nil if the reply has none.
  package let parameters: JSONValue?
  /// Others follow.
  package let continues: Bool

  /// Takes a message without its NUL; nil if it is not a reply.
  package init?(_ bytes: [UInt8]) {
    let message: JSONValue
    do throws(JSONError) { message = try JSONValue(message: bytes) } catch { return nil }
    guard message.kind == .object else { return nil }
    error = message.member("error")?.text
    parameters = message.member("parameters")
    continues = message.member("continues")?.flag ?? false
  }
}

extension VarlinkCall {
  /// The message that calls a method, with the NUL that ends it.
  ///
  /// - `more`: several replies are wanted.
  package static func message(_ method: String, parameters: JSON, more: Bool) -> [UInt8] {
    var json = JSON()
    json.add("method", method)
    json.add("parameters", parameters)
    if more { json.add("more", true) }
    return Array(json.text.utf8) + [0]
  }
}
