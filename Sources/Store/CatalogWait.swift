/// How long to wait for another process that downloads a catalog.
enum CatalogWait {
  case none, someSeconds
}
