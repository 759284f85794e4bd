// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CTinyUpdater
internal import JSONReading
internal import MapService

// Events: `tinyupdater.h` says what each function does.

@c @implementation
public func tu_next(_ loader: OpaquePointer?) -> tu_event { handle(loader)?.next() ?? TU_NOTHING }

@c @implementation
public func tu_event_request(_ loader: OpaquePointer?) -> UInt64 { handle(loader)?.event?.request ?? 0 }

@c @implementation
public func tu_event_result(_ loader: OpaquePointer?) -> tu_result {
  handle(loader)?.event?.result.map { tu_result($0) } ?? TU_SUCCESS
}

@c @implementation
public func tu_event_text(_ loader: OpaquePointer?, _ member: UnsafePointer<CChar>?) -> UnsafePointer<CChar>?
{
  guard let handle = handle(loader), let text = handle.value(member)?.text else { return nil }
  return handle.keep(text)
}

@c @implementation
public func tu_event_number(_ loader: OpaquePointer?, _ member: UnsafePointer<CChar>?) -> UInt64 {
  UInt64(clamping: handle(loader)?.value(member)?.whole ?? 0)
}

@c @implementation
public func tu_event_flag(_ loader: OpaquePointer?, _ member: UnsafePointer<CChar>?) -> Bool {
  handle(loader)?.value(member)?.flag ?? false
}

@c @implementation
public func tu_event_count(_ loader: OpaquePointer?, _ member: UnsafePointer<CChar>?) -> Int {
  guard let value = handle(loader)?.value(member), value.kind == .array else { return 0 }
  return value.count
}

@c @implementation
public func tu_event_real(
  _ loader: OpaquePointer?, _ member: UnsafePointer<CChar>?, _ value: UnsafeMutablePointer<Double>?
) -> Bool {
  guard let text = handle(loader)?.value(member)?.number, let number = Decimal.value(text) else {
    return false
  }
  value?.pointee = number
  return true
}

@c @implementation
public func tu_event_json(_ loader: OpaquePointer?) -> UnsafePointer<CChar>? {
  guard let handle = handle(loader), let event = handle.event else { return nil }
  return handle.keep(event.content.jsonText)
}

extension LoaderHandle {
  /// A member of the event.
  func value(_ member: UnsafePointer<CChar>?) -> JSONValue? {
    guard let member else { return nil }
    return event?.value(String(cString: member))
  }
}

/// Numbers with a fraction, as the program writes them: without an exponent.
private enum Decimal {
  static func value(_ text: String) -> Double? {
    var value = 0.0
    var scale = 0.0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "-"): continue
      case UInt8(ascii: "."): scale = 1
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        value = value * 10 + Double(byte - UInt8(ascii: "0"))
        scale *= 10
      default: return nil
      }
    }
    if scale > 1 { value /= scale }
    return text.utf8.first == UInt8(ascii: "-") ? -value : value
  }
}
