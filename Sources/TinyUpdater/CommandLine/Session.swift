internal import Updater

/// What every command on the store works with.
struct Session {
  let configuration: Configuration
  let console: Console

  init(_ configuration: Configuration, _ console: Console) {
    self.configuration = configuration
    self.console = console
  }
}
