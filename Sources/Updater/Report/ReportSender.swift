internal import Platform
internal import Releases
internal import Store
internal import Transport

/// Tells the server of the fleet how this device is: one small report for each run that has gone online.
///
/// A report waits in the store until the server has it, so that a device says later what it could not say at once. No
/// update depends on it: all of this comes after the end of a run, and nothing that fails here is more than a line in
/// the log.
package struct ReportSender {
  private let configuration: Configuration
  private let url: String

  /// Nil if no report is wanted, or if this process has asked no server.
  package init?(_ configuration: Configuration) {
    guard let url = configuration.reportURL, OnlineRun.hasBegun, !configuration.isOffline else { return nil }
    self.configuration = configuration
    self.url = url
  }

  /// By what the server knows this device: what roll-outs go by, too; nil if it has none.
  package static var device: String? { RolloutShare.machineID.map { String(decoding: $0, as: UTF8.self) } }

  /// Keeps the report, and sends what waits, the oldest first.
  ///
  /// - `report`: one line of JSON.
  package func send(_ report: String) {
    do throws(Failure) {
      let queue = try ReportQueue(making: configuration.root)
      try queue.add(report)
      guard try queue.beginSending() else { return }
      try deliver(queue)
    } catch { Log.add(.warning, text: "no report was sent: \(error.cause)") }
  }

  private func deliver(_ queue: borrowing ReportQueue) throws(Failure) {
    let end = Clock.milliseconds + UpdateLimits.reporting * 1000
    var client = try Client(configuration.transport) { StopSignal.isRaised }
    for number in try queue.numbers() {
      let now = Clock.milliseconds
      guard now < end, !StopSignal.isRaised else { return }
      guard let report = try queue.report(number) else {
        try queue.remove(number)
        continue
      }
      switch client.post(report, to: url, within: Int(clamping: (end - now + 999) / 1000)) {
      case .delivered: try queue.remove(number)
      case .rejected(let status):
        Log.add(.warning, text: "\(url) answered \(status), and does not get that report again")
        try queue.remove(number)
      case .undelivered(let cause):
        return Log.add(.info, text: "\(url): \(cause); the report waits for the next run")
      }
    }
  }
}
