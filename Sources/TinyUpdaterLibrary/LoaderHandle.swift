internal import CTinyUpdater
internal import JSONReading
internal import MapReading
internal import MapService
internal import Platform

/// What a `tu_loader` is.
final class LoaderHandle {
  let client: MapClient
  /// How the last function that failed did so.
  private(set) var failure = TU_SUCCESS
  private(set) var message = CText()
  private(set) var event: MapEvent?
  /// The last text that was asked for of each member: it stays until the next event.
  private var texts: [CText] = []

  init(_ options: MapClientOptions) throws(Failure) {
    client = try MapClient(options)
  }

  /// Takes the next event.
  func next() -> tu_event {
    texts = []
    event = nil
    switch client.next() {
    case .none: return TU_NOTHING
    case .maps: return TU_MAPS
    case .event(let event):
      self.event = event
      return LoaderHandle.kind(event.name)
    }
  }

  /// Makes a request; 0 if that fails.
  func request(_ method: MapMethod, _ parameters: JSON = JSON()) -> UInt64 {
    do throws(MapRefusal) { return try client.begin(method, parameters) } catch {
      fail(tu_result(.code(error.result)), error.sentence)
      return 0
    }
  }

  func fail(_ result: tu_result, _ message: String) {
    failure = result
    self.message = CText(message)
  }

  /// The same, with the parameter `name`, a list of names.
  func request(
    _ method: MapMethod, _ name: String, _ values: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int
  ) -> UInt64 {
    var list: [String] = []
    if let values, count > 0 {
      for index in 0..<count { list.append(String(platformString: unsafe values[index])) }
    }
    var parameters = JSON()
    parameters.add(name, list)
    return request(method, parameters)
  }

  /// Keeps a text until the next event.
  func keep(_ text: String) -> UnsafePointer<CChar>? {
    let text = CText(text)
    texts.append(text)
    return text.pointer
  }

  private static func kind(_ name: String) -> tu_event {
    switch name {
    case "result": TU_RESULT
    case "state": TU_STATE
    case "ready": TU_READY
    case "status": TU_STATUS
    case "region": TU_REGION
    case "package": TU_PACKAGE
    case "group": TU_GROUP
    case "check": TU_CHECK
    case "plan": TU_PLAN
    case "operation": TU_OPERATION
    case "component": TU_COMPONENT
    case "progress": TU_PROGRESS
    case "connection-lost": TU_CONNECTION_LOST
    case "connection-found": TU_CONNECTION_FOUND
    case "applying": TU_APPLYING
    case "changed": TU_CHANGED
    case "notice": TU_NOTICE
    case "error": TU_ERROR
    case "polygon": TU_POLYGON
    default: TU_OTHER
    }
  }
}

/// A text as C reads it, with the address that it has for as long as it lives.
final class CText {
  private let bytes: UnsafeMutableBufferPointer<CChar>

  init(_ text: String = "") {
    let count = text.utf8.count
    bytes = .allocate(capacity: count + 1)
    var index = 0
    for byte in text.utf8 {
      unsafe bytes[index] = CChar(bitPattern: byte == 0 ? UInt8(ascii: "?") : byte)
      index += 1
    }
    unsafe bytes[count] = 0
  }

  deinit { bytes.deallocate() }

  var pointer: UnsafePointer<CChar>? { UnsafePointer(bytes.baseAddress) }
}
