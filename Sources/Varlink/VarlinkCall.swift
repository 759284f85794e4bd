package import JSONReading
internal import Platform

/// A call of a method (varlink.org, "Method Call").
package struct VarlinkCall {
  /// With its interface, such as `org.tinyupdater.Maps.Install`.
  package let method: String
  /// An object; nil if there are none.
  package let parameters: JSONValue?
  /// The client takes several replies.
  package let wantsMore: Bool
  /// The client wants no reply.
  package let isOneway: Bool

  /// Parses one message without the NUL that ends it; nil if it is none.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count <= VarlinkLimits.message else { return nil }
    let message: JSONValue
    do throws(JSONError) { message = try JSONValue(message: bytes) } catch { return nil }
    guard message.kind == .object, let method = message.member("method")?.text, !method.isEmpty,
      let more = VarlinkCall.flag("more", of: message),
      let oneway = VarlinkCall.flag("oneway", of: message),
      // The connection cannot become one of another protocol.
      VarlinkCall.flag("upgrade", of: message) == false
    else { return nil }
    let parameters = message.member("parameters")
    guard parameters == nil || parameters?.kind == .object || parameters?.kind == .null else { return nil }
    self.method = method
    self.parameters = parameters?.kind == .object ? parameters : nil
    (wantsMore, isOneway) = (more, oneway)
  }

  /// Whether a flag is set; nil if it is no flag.
  private static func flag(_ name: String, of message: JSONValue) -> Bool? {
    guard let member = message.member(name), member.kind != .null else { return false }
    return member.flag
  }

  /// The interface: what stands before the last dot.
  package var interface: String {
    guard let dot = method.utf8.lastIndex(of: UInt8(ascii: ".")) else { return "" }
    return String(decoding: Array(method.utf8[..<dot]), as: UTF8.self)
  }

  /// The method without its interface.
  package var name: String {
    guard let dot = method.utf8.lastIndex(of: UInt8(ascii: ".")) else { return method }
    return String(decoding: Array(method.utf8[dot...].dropFirst()), as: UTF8.self)
  }
}
