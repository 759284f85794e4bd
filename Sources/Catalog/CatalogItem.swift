/// What a document of a catalog lists: components, or parts that list them.
package indirect enum CatalogItem: Equatable {
  case component(CatalogEntry)
  case part(CatalogPart)
}
