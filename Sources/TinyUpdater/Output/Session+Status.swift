internal import MapModel
internal import Platform
internal import Store
internal import Updater

extension Session {
  /// Writes what is installed and how the last run ended; opens no connection.
  ///
  /// The exit status says whether the maps are still to be used.
  ///
  /// - `measures`: what confines a process that updates; nil if that is not to be written.
  @discardableResult
  func writeStatus(confinedBy measures: [Confinement.Measure]? = nil) throws(Failure) -> ExitStatus {
    let store: Store
    do throws(Failure) { store = try Store(opening: configuration.root) } catch {
      guard case .noStore = error else { throw error }
      console.say("nothing is installed")
      if let measures { console.say(measures.row) }
      console.emit("status") { json in
        json.add("components", 0)
        if let measures { json.add("confinement", measures.map { $0.word }) }
      }
      return .success
    }
    let area = AreaState(configuration, store)
    let terms = ReleaseTerms(configuration, installed: try store.currentRelease()?.release)
    try StatusView(
      store, trial: configuration.trial, terms: terms, storage: try configuration.storage(),
      area: area, confinement: measures, console: console
    ).write()
    return terms.isExpired ? .expired : .success
  }
}

extension [Confinement.Measure] {
  var row: String { "confined    \(isEmpty ? "no: this system has none of it" : map { $0.word }.listed)" }
}
