internal import Publisher

/// An event of a command at work.
enum ProgressEvent {
  case release(ReleaseEvent)
  /// A file goes into a bundle; `done` and `total` are bytes.
  case bundling(String, done: UInt64, total: UInt64)
  /// A bundle is complete at that path.
  case bundled(BundleContents, path: String)
  /// Files were copied to a server.
  case copying(PushStage, files: Int)
  case verifying(VerificationEvent)
  case reporting(Survey.Event)
  /// Something that an operator should know, and that stops nothing.
  case warning(String)
  /// Something that verification found.
  case problem(String)
}
