enum DeltaCreatePlaceholder {}
