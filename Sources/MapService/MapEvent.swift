package import JSONReading
package import Platform

/// One event of an answer (`docs/events.md`).
package struct MapEvent {
  /// The request that it answers; 0: none.
  package let request: UInt64
  package let content: JSONValue

  /// What it is called, such as `package`; empty if it is nothing.
  package var name: String { content.member("event")?.text ?? "" }

  /// A member by its name, or by a path with dots: `release.number`, `groups.0`.
  package func value(_ path: String) -> JSONValue? {
    var value: JSONValue? = content
    for part in path.parts(separatedBy: ".") {
      let here = value
      value = here?.kind == .array ? Int(ascii: part.utf8).flatMap { here?.element($0) } : here?.member(part)
    }
    return value
  }

  /// How a request ended; nil if this is not the event `result`.
  package var result: MapResult? {
    guard name.utf8.elementsEqual("result".utf8) else { return nil }
    return MapResult(exit: value("exit")?.whole ?? -1)
  }
}

/// How a request ended: a result of the program, or one that only its clients have.
package enum MapResult: Equatable {
  case code(ResultCode)
  /// The user may not ask for it.
  case permissionDenied

  /// `exit`: an exit code; one that this version does not know is a failure of storage, as `docs/exit-codes.md` says of a
  /// result that was not kept.
  package init(exit: Int64) {
    if exit == MapResult.permissionDeniedCode {
      self = .permissionDenied
    } else {
      self = .code(CInt(exactly: exit).flatMap { ResultCode(rawValue: $0) } ?? .storage)
    }
  }

  package var exit: Int64 {
    switch self {
    case .code(let code): Int64(code.rawValue)
    case .permissionDenied: MapResult.permissionDeniedCode
    }
  }

  package var name: String {
    switch self {
    case .code(let code): code.name
    case .permissionDenied: "PermissionDenied"
    }
  }

  /// `EX_NOPERM` of sysexits.h.
  private static var permissionDeniedCode: Int64 { 77 }
}
