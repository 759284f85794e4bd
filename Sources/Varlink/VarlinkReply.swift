package import Platform

/// A reply to a call (varlink.org, "Method Reply").
package enum VarlinkReply: Equatable {
  /// An object, written as JSON; `continues`: others follow.
  case parameters(String, continues: Bool)
  /// The full name of an error, and an object.
  case error(String, String)

  /// An object that has been built.
  package static func parameters(_ json: JSON) -> VarlinkReply { .parameters(json.text, continues: false) }

  /// The bytes of the message, with the NUL that ends it.
  package var bytes: [UInt8] {
    let text =
      switch self {
      case .parameters(let object, continues: false): "{\"parameters\":\(object)}"
      case .parameters(let object, continues: true): "{\"parameters\":\(object),\"continues\":true}"
      case .error(let name, let object): "{\"error\":\(JSON.quoted(name)),\"parameters\":\(object)}"
      }
    return Array(text.utf8) + [0]
  }

  // MARK: - Errors of every service

  package static func interfaceNotFound(_ name: String) -> VarlinkReply {
    serviceError("InterfaceNotFound", "interface", name)
  }

  package static func methodNotFound(_ name: String) -> VarlinkReply {
    serviceError("MethodNotFound", "method", name)
  }

  package static func invalidParameter(_ name: String) -> VarlinkReply {
    serviceError("InvalidParameter", "parameter", name)
  }

  package static var permissionDenied: VarlinkReply {
    .error("org.varlink.service.PermissionDenied", "{}")
  }

  /// The method has several replies, and the client takes one.
  package static var expectedMore: VarlinkReply { .error("org.varlink.service.ExpectedMore", "{}") }

  private static func serviceError(_ error: String, _ member: String, _ value: String) -> VarlinkReply {
    var json = JSON()
    json.add(member, value)
    return .error("org.varlink.service.\(error)", json.text)
  }
}
