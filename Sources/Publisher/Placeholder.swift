enum PublisherPlaceholder {}
