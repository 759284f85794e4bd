internal import MapModel
internal import Platform
internal import Updater

/// `export`: writes what is installed as a repository for other devices.
struct ExportCommand: StoreCommand {
  static var description: CommandDescription {
    .init(
      "export", operands: .directory,
      summary: "write the installed maps to a new directory, for other devices",
      details: """
        The directory is a repository: other devices update from it with "--from DIR", or with
        "--repository URL" if a web server serves it. They trust it by the publisher's signatures.

        """)
  }

  private let path: String

  init(_ invocation: Invocation) throws(UsageError) {
    guard invocation.operands.count == 1, let path = invocation.operands.first, !path.isEmpty else {
      throw invocation.error("export needs the name of a directory")
    }
    self.path = path
  }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    let export = try Reporter(session.console).makeUpdater(session.configuration).export(to: path)
    session.console.conclude(
      "export",
      "\(path): \(export.release.text), \(export.components) components, \(ByteCount(export.size).text), "
        + "\(ByteCount(export.copied).text) of them copied")
    session.console.emitResult(.success) { json in
      json.add("release", export.release.json)
      json.add("components", export.components)
      json.add("size", export.size)
      json.add("copied", export.copied)
    }
    return .success
  }
}
