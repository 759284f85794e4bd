internal import Platform
internal import Updater

extension Session {
  /// Writes what is installed and how the last run ended; opens no connection.
  ///
  /// The exit status says whether the maps are still to be used.
  ///
  /// - `measures`: what confines a process that updates; nil if that is not to be written.
  @discardableResult
  func writeStatus(confinedBy measures: [Confinement.Measure]? = nil) throws(Failure) -> ExitStatus {
    let facts = try StatusFacts(configuration, confinedBy: measures)
    console.emit("status") { json in facts.write(to: &json) }
    StatusView(facts, console: console).write()
    return facts.status
  }
}
