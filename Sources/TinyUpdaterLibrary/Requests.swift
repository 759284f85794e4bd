// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CTinyUpdater
internal import MapService
internal import Platform

// Requests: `tinyupdater.h` says what each function does.

@c @implementation
public func tu_watch(_ loader: OpaquePointer?) -> UInt64 { handle(loader)?.request(.watch) ?? 0 }

@c @implementation
public func tu_status(_ loader: OpaquePointer?) -> UInt64 { handle(loader)?.request(.getStatus) ?? 0 }

@c @implementation
public func tu_check(_ loader: OpaquePointer?) -> UInt64 { handle(loader)?.request(.check) ?? 0 }

@c @implementation
public func tu_plan(_ loader: OpaquePointer?) -> UInt64 { handle(loader)?.request(.plan) ?? 0 }

@c @implementation
public func tu_groups(_ loader: OpaquePointer?) -> UInt64 { handle(loader)?.request(.getGroups) ?? 0 }

@c @implementation
public func tu_update(_ loader: OpaquePointer?) -> UInt64 { handle(loader)?.request(.update) ?? 0 }

@c @implementation
public func tu_stage(_ loader: OpaquePointer?) -> UInt64 {
  var parameters = JSON()
  parameters.add("stage", true)
  return handle(loader)?.request(.update, parameters) ?? 0
}

@c @implementation
public func tu_activate(_ loader: OpaquePointer?) -> UInt64 { handle(loader)?.request(.activate) ?? 0 }

@c @implementation
public func tu_repair(_ loader: OpaquePointer?) -> UInt64 { handle(loader)?.request(.repair) ?? 0 }

@c @implementation
public func tu_rollback(_ loader: OpaquePointer?) -> UInt64 { handle(loader)?.request(.rollback) ?? 0 }

@c @implementation
public func tu_confirm(_ loader: OpaquePointer?) -> UInt64 { handle(loader)?.request(.confirm) ?? 0 }

@c @implementation
public func tu_tree(_ loader: OpaquePointer?, _ tree: tu_tree) -> UInt64 {
  var parameters = JSON()
  if tree == TU_TREE_COMPOSITE { parameters.add("composite", true) }
  return handle(loader)?.request(.list, parameters) ?? 0
}

@c @implementation
public func tu_at(_ loader: OpaquePointer?, _ place: UnsafePointer<tu_place>?) -> UInt64 {
  handle(loader)?.request(.getPackageAt, at: place) ?? 0
}

@c @implementation
public func tu_near(_ loader: OpaquePointer?, _ place: UnsafePointer<tu_place>?, _ metres: UInt32) -> UInt64 {
  handle(loader)?.request(.getPackagesNear, at: place, within: metres) ?? 0
}

@c @implementation
public func tu_polygons(
  _ loader: OpaquePointer?, _ ids: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int
) -> UInt64 { handle(loader)?.request(.getPolygons, "ids", ids, count) ?? 0 }

@c @implementation
public func tu_position(_ loader: OpaquePointer?, _ place: UnsafePointer<tu_place>?) -> UInt64 {
  handle(loader)?.request(.setPosition, at: place) ?? 0
}

@c @implementation
public func tu_select_groups(
  _ loader: OpaquePointer?, _ names: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int
) -> UInt64 { handle(loader)?.request(.selectGroups, "groups", names, count) ?? 0 }

@c @implementation
public func tu_deselect_groups(
  _ loader: OpaquePointer?, _ names: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int
) -> UInt64 { handle(loader)?.request(.deselectGroups, "groups", names, count) ?? 0 }

@c @implementation
public func tu_install(
  _ loader: OpaquePointer?, _ ids: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int
) -> UInt64 { handle(loader)?.request(.install, "ids", ids, count) ?? 0 }

@c @implementation
public func tu_uninstall(
  _ loader: OpaquePointer?, _ ids: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int
) -> UInt64 { handle(loader)?.request(.uninstall, "ids", ids, count) ?? 0 }

@c @implementation
public func tu_cancel(
  _ loader: OpaquePointer?, _ ids: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int
) -> UInt64 { handle(loader)?.request(.cancel, "ids", ids, count) ?? 0 }

@c @implementation
public func tu_cancel_operation(_ loader: OpaquePointer?, _ operation: UInt64) -> UInt64 {
  var parameters = JSON()
  parameters.add("operation", number: "\(operation)")
  return handle(loader)?.request(.cancel, parameters) ?? 0
}

@c @implementation
public func tu_leave(_ loader: OpaquePointer?, _ request: UInt64) { handle(loader)?.client.leave(request) }

extension LoaderHandle {
  /// A request about a place; 0 if it is none.
  func request(_ method: MapMethod, at place: UnsafePointer<tu_place>?, within metres: UInt32? = nil)
    -> UInt64
  {
    guard let place = place?.pointee else { return 0 }
    guard let latitude = MapPlace.text(place.latitude), let longitude = MapPlace.text(place.longitude) else {
      fail(
        TU_INVALID_PARAMETERS, "a latitude and a longitude are degrees from -90 to 90 and from -180 to 180")
      return 0
    }
    var parameters = JSON()
    parameters.add("latitude", number: latitude)
    parameters.add("longitude", number: longitude)
    if let metres { parameters.add("radius", metres) }
    return request(method, parameters)
  }
}
