enum TinyUpdaterPlaceholder {}
