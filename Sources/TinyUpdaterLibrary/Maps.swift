// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CTinyUpdater
internal import MapReading
internal import MapService
internal import Platform

// Maps: `tinyupdater.h` says what each function does.

/// What a `tu_maps` is.
final class MapsHandle {
  let held: HeldMaps
  let client: MapClient
  let label: CText
  let directory: CText
  private let texts: [CText]
  let maps: UnsafeMutableBufferPointer<tu_map>

  init(_ held: HeldMaps, _ client: MapClient) {
    self.held = held
    self.client = client
    label = CText(held.label)
    directory = CText(held.path)
    maps = .allocate(capacity: held.maps.count)
    var texts: [CText] = []
    texts.reserveCapacity(4 * held.maps.count)
    for (index, line) in held.maps.enumerated() {
      let words = [CText(line.id), CText(line.group), CText(line.path), CText(line.digest)]
      texts += words
      unsafe maps.initializeElement(
        at: index,
        to: tu_map(
          id: words[0].pointer, group: words[1].pointer, path: words[2].pointer, release: line.release,
          size: line.size, digest: words[3].pointer, is_directory: line.isDirectory,
          is_described: line.file == nil))
    }
    self.texts = texts
  }

  deinit { maps.deallocate() }

  /// The line that one of `maps` was made of; nil if it is none of them.
  func line(_ map: UnsafePointer<tu_map>) -> ManifestLine? {
    guard let first = maps.baseAddress else { return nil }
    let index = map - UnsafePointer(first)
    return held.maps.indices.contains(index) ? held.maps[index] : nil
  }
}

@c @implementation
public func tu_maps_hold(
  _ loader: OpaquePointer?, _ maps: UnsafeMutablePointer<OpaquePointer?>?
) -> tu_result {
  guard let loader = handle(loader), let maps else { return TU_INVALID_PARAMETERS }
  maps.pointee = nil
  do throws(Failure) {
    let handle = MapsHandle(try loader.client.hold(), loader.client)
    maps.pointee = OpaquePointer(Unmanaged.passRetained(handle).toOpaque())
    return TU_SUCCESS
  } catch {
    loader.fail(tu_result(error), error.sentence)
    return loader.failure
  }
}

@c @implementation
public func tu_maps_release(_ maps: OpaquePointer?) {
  guard let maps, let held = held(maps) else { return }
  if held.held.state == .wanted { held.client.letGo(of: held.held.generation) }
  Unmanaged<MapsHandle>.fromOpaque(UnsafeRawPointer(maps)).release()
}

@c @implementation
public func tu_maps_release_number(_ maps: OpaquePointer?) -> UInt64 { held(maps)?.held.release ?? 0 }

@c @implementation
public func tu_maps_release_label(_ maps: OpaquePointer?) -> UnsafePointer<CChar>? {
  held(maps)?.label.pointer
}

@c @implementation
public func tu_maps_directory(_ maps: OpaquePointer?) -> UnsafePointer<CChar>? {
  held(maps)?.directory.pointer
}

@c @implementation
public func tu_maps_count(_ maps: OpaquePointer?) -> Int { held(maps)?.maps.count ?? 0 }

@c @implementation
public func tu_maps_get(_ maps: OpaquePointer?, _ index: Int) -> UnsafePointer<tu_map>? {
  guard let held = held(maps), held.maps.indices.contains(index), let first = held.maps.baseAddress else {
    return nil
  }
  return UnsafePointer(first + index)
}

@c @implementation
public func tu_maps_find(
  _ maps: OpaquePointer?, _ id: UnsafePointer<CChar>?, _ group: UnsafePointer<CChar>?
) -> UnsafePointer<tu_map>? {
  guard let held = held(maps), let id, let group else { return nil }
  guard let index = held.held.firstIndex(String(cString: id), String(cString: group)) else { return nil }
  return tu_maps_get(maps, index)
}

@c @implementation
public func tu_maps_find_path(_ maps: OpaquePointer?, _ path: UnsafePointer<CChar>?) -> UnsafePointer<tu_map>?
{
  guard let path, let index = held(maps)?.held.firstIndex(path: String(cString: path)) else { return nil }
  return tu_maps_get(maps, index)
}

@c @implementation
public func tu_maps_state(_ maps: OpaquePointer?) -> tu_maps_state {
  switch held(maps)?.held.state {
  case .replaced: TU_MAPS_REPLACED
  case .wanted: TU_MAPS_WANTED
  case .current, .none: TU_MAPS_CURRENT
  }
}

@c @implementation
public func tu_map_fd(
  _ maps: OpaquePointer?, _ map: UnsafePointer<tu_map>?, _ offset: UnsafeMutablePointer<UInt64>?
) -> CInt {
  guard let held = held(maps), let map, let line = held.line(map) else {
    Errno.invalid.raise()
    return -1
  }
  do throws(Failure) {
    let (descriptor, start) = try held.held.openData(line)
    offset?.pointee = start
    return descriptor
  } catch {
    (error.errno ?? .input).raise()
    return -1
  }
}

/// The object that a pointer of a caller stands for.
func held(_ maps: OpaquePointer?) -> MapsHandle? {
  guard let maps else { return nil }
  return Unmanaged<MapsHandle>.fromOpaque(UnsafeRawPointer(maps)).takeUnretainedValue()
}
