internal import Updater

/// What every command on the store works with.
struct Session {
  let configuration: Configuration
  let console: Console

  init(_ configuration: Configuration, console: Console) {
    self.configuration = configuration
    self.console = console
  }
}
