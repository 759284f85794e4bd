enum UpdaterPlaceholder {}
