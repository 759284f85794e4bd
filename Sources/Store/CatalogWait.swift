/// How long to wait for another process that downloads a catalog.
package enum CatalogWait {
  case none, someSeconds

  var milliseconds: UInt64 {
    switch self {
    case .none: 0
    case .someSeconds: 10_000
    }
  }
}
