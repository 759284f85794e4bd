// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CTinyUpdater
internal import MapService
internal import Platform

// A loader: `tinyupdater.h` says what each function does.

@c @implementation
public func tu_result_name(_ result: tu_result) -> UnsafePointer<CChar>? {
  let result = Int64(result.rawValue)
  let known = MapResult(exit: result)
  return known.exit == result ? ResultNames.text(known) : ResultNames.unknown
}

@c @implementation
public func tu_open(
  _ options: UnsafePointer<tu_options>?, _ loader: UnsafeMutablePointer<OpaquePointer?>?
) -> tu_result {
  guard let loader else { return TU_INVALID_PARAMETERS }
  loader.pointee = nil
  var wanted = MapClientOptions()
  if let options {
    let given = options.pointee
    guard given.size >= MemoryLayout<tu_options>.size else { return TU_INVALID_PARAMETERS }
    if let text = given.root { wanted.root = String(cString: text) }
    if let text = given.socket { wanted.socket = String(cString: text) }
    if let text = given.program { wanted.program = String(cString: text) }
    if let text = given.config { wanted.config = String(cString: text) }
    if let text = given.language { wanted.language = String(cString: text) }
  }
  do throws(Failure) {
    let handle = try LoaderHandle(wanted)
    loader.pointee = OpaquePointer(Unmanaged.passRetained(handle).toOpaque())
    return TU_SUCCESS
  } catch { return tu_result(error) }
}

@c @implementation
public func tu_close(_ loader: OpaquePointer?) {
  guard let loader else { return }
  Unmanaged<LoaderHandle>.fromOpaque(UnsafeRawPointer(loader)).release()
}

@c @implementation
public func tu_fd(_ loader: OpaquePointer?) -> CInt { handle(loader)?.client.raw ?? -1 }

@c @implementation
public func tu_failure(_ loader: OpaquePointer?) -> tu_result {
  handle(loader)?.failure ?? TU_INVALID_PARAMETERS
}

@c @implementation
public func tu_message(_ loader: OpaquePointer?) -> UnsafePointer<CChar>? { handle(loader)?.message.pointer }

/// The object that a pointer of a caller stands for.
func handle(_ loader: OpaquePointer?) -> LoaderHandle? {
  guard let loader else { return nil }
  return Unmanaged<LoaderHandle>.fromOpaque(UnsafeRawPointer(loader)).takeUnretainedValue()
}

extension tu_result {
  init(_ error: Failure) { self.init(rawValue: UInt32(error.result.rawValue)) }
  init(_ result: MapResult) { self.init(rawValue: UInt32(clamping: result.exit)) }
}

/// Names that stay for ever.
private enum ResultNames {
  static func text(_ result: MapResult) -> UnsafePointer<CChar>? {
    switch result {
    case .permissionDenied: pointer("PermissionDenied")
    case .code(let code): pointer(code.constantName)
    }
  }

  static var unknown: UnsafePointer<CChar>? { pointer("Unknown") }

  private static func pointer(_ text: StaticString) -> UnsafePointer<CChar>? {
    UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
