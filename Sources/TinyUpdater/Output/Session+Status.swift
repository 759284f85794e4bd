internal import Platform
internal import Store
internal import Updater

extension Session {
  /// Writes what is installed and how the last run ended; opens no connection.
  ///
  /// - `measures`: what confines a process that updates; nil if that is not to be written.
  func writeStatus(confinedBy measures: [Confinement.Measure]? = nil) throws(Failure) {
    let store: Store
    do throws(Failure) { store = try Store(opening: configuration.root) } catch {
      guard case .noStore = error else { throw error }
      console.say("nothing is installed")
      if let measures { console.say(measures.row) }
      return console.emit("status") { json in
        json.add("components", 0)
        if let measures { json.add("confinement", measures.map { $0.word }) }
      }
    }
    try StatusView(store, trial: configuration.trial, confinement: measures, console: console).write()
  }
}

extension [Confinement.Measure] {
  var row: String { "confined    \(isEmpty ? "no: this system has none of it" : map { $0.word }.listed)" }
}
