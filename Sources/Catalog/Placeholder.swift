enum CatalogPlaceholder {}
