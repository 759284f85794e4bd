internal import Platform
internal import Updater

/// `support`: collects what helps to find out what is wrong.
struct SupportCommand: StoreCommand {
  static var description: CommandDescription {
    .init(
      "support", operands: .none, options: [.output],
      summary: "collect status, history, log, events and configuration in an archive, without secrets")
  }

  private let output: String
  private let configurationPath: String

  init(_ invocation: Invocation) throws(UsageError) {
    try invocation.takeNoOperands()
    guard let output = invocation.value(of: .output), !output.isEmpty else {
      throw invocation.error("support needs --output, such as -o support.tar")
    }
    self.output = output
    configurationPath = invocation.value(of: .config) ?? Configuration.defaultPath
  }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    let file: File
    do throws(Failure) { file = try File(opening: output, to: .makePrivate) } catch {
      throw error.errno == .exists ? .fileExists(path: output) : error
    }
    let size: UInt64, unreadable: [String]
    do throws(Failure) {
      (size, unreadable) = try write(SupportArchive(TarWriter(file, at: Clock.now)), session.configuration)
    } catch {
      File.remove(output)
      throw error
    }
    for sentence in unreadable { session.console.say("not read: \(sentence)") }
    session.console.conclude("support", "\(output): \(ByteCount(size).text)")
    session.console.emitResult(.success) { json in
      json.add("size", size)
      if !unreadable.isEmpty { json.add("unreadable", unreadable) }
    }
    return .success
  }

  private func write(
    _ archive: consuming SupportArchive, _ configuration: Configuration
  ) throws(Failure) -> (UInt64, [String]) {
    var archive = archive
    try archive.addSystem()
    try archive.addConfiguration(configurationPath)
    // The rest comes from outside.
    configuration.confine(starting: .none, changing: output.folderAndName.folder)
    try archive.addStore(configuration)
    return try archive.finish(configuration)
  }
}
