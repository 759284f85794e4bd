internal import Platform
internal import Store
internal import Updater

extension Session {
  /// Writes what is installed and how the last run ended; opens no connection.
  ///
  /// - `measures`: what confines a process that updates; nil if that is not to be written.
  func writeStatus(confinedBy measures: [Confinement.Measure]? = nil) throws(UpdateError) {
    let store: Store
    do throws(StoreError) { store = try Store(opening: configuration.root) } catch {
      guard case .missing = error else { throw UpdateError(error) }
      console.say("nothing is installed")
      if let measures { console.say(measures.row) }
      return console.emit("status") { json in
        json.add("components", 0)
        if let measures { json.add("confinement", measures.map { $0.word }) }
      }
    }
    do throws(StoreError) {
      try StatusView(store, trial: configuration.trial, confinement: measures, console: console).write()
    } catch {
      throw UpdateError(error)
    }
  }
}

extension [Confinement.Measure] {
  var row: String { "confined    \(isEmpty ? "no: this system has none of it" : map { $0.word }.listed)" }
}
