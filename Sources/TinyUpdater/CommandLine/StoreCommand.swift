internal import Platform
internal import Updater

/// A command on the store that the configuration names.
protocol StoreCommand {
  func run(_ session: Session) throws(Failure) -> ExitStatus
}
