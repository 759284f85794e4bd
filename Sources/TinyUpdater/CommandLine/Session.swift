internal import Platform
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

extension Session {
  /// Tells the server of the fleet how the device is, after the end of a run that has gone online.
  func sendReport() {
    guard let sender = ReportSender(configuration) else { return }
    do throws(Failure) { sender.send(try DeviceReport(configuration).text) } catch {
      Log.add(.warning, text: "no report was made: \(error.cause)")
    }
  }
}
