/// What other operations of the queue may want of staging.
enum OtherStaged {
  /// Nothing: what this operation does not need goes.
  case removable
  /// They may have staged files of their own.
  case kept
}
