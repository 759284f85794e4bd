internal import Platform
internal import Store
internal import Updater

extension Session {
  /// Writes what is installed and how the last run ended; opens no connection.
  func writeStatus() throws(UpdateError) {
    let store: Store
    do throws(StoreError) { store = try Store(opening: configuration.root) } catch {
      guard case .missing = error else { throw UpdateError(error) }
      console.say("nothing is installed")
      return console.emit("status") { json in json.add("components", 0) }
    }
    do throws(StoreError) {
      try StatusView(store, trial: configuration.trial, console: console).write()
    } catch {
      throw UpdateError(error)
    }
  }
}
