/// What a document of a catalog lists: components, or parts that list them.
package enum CatalogItem: Equatable {
  case component(CatalogEntry)
  case part(CatalogPart)
}
