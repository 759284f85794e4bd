enum DeltaApplyPlaceholder {}
