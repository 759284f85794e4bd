internal import Updater

/// What every command on the store works with.
struct Session {
  let configuration: Configuration
  let style: OutputStyle

  init(_ configuration: Configuration, _ style: OutputStyle) {
    self.configuration = configuration
    self.style = style
  }
}
