internal import MapModel
internal import Platform
internal import Store
internal import Updater

/// What the server of the fleet is told of a device (`docs/fleet.md`, Reports): one line of JSON.
///
/// It has no place, none of the packages that came because of that, and of URLs neither a user nor a query.
struct DeviceReport {
  let text: String

  /// - `time`: in seconds since 1970.
  init(_ facts: StatusFacts, device: String?, at time: Int64) {
    let whole = DeviceReport.json(facts, device: device, at: time, cause: DeviceReport.maximumCause).text
    guard whole.utf8.count > DeviceReport.maximumSize else {
      text = whole
      return
    }
    // Each byte of a cause may become six, and ids are long: all else has known bounds.
    text = DeviceReport.json(facts, device: device, at: time, cause: 0).text
  }

  /// The status of this device, now.
  init(_ configuration: Configuration) throws(Failure) {
    self.init(try StatusFacts(configuration), device: ReportSender.device, at: Clock.now)
  }

  /// Bytes of a report.
  static var maximumSize: Int { 2048 }
  /// Bytes of the cause of a failure.
  private static var maximumCause: Int { 256 }

  private static func json(_ facts: StatusFacts, device: String?, at time: Int64, cause: Int) -> JSON {
    var json = JSON()
    json.add("report", 1)
    if let device { json.add("device", device) }
    json.add("time", Clock.timestamp(time))
    json.add("program", productVersion)
    if let release = facts.maps?.release { json.add("release", release.json) }
    if let newest = facts.known?.newest.release { json.add("newest", newest.json) }
    if let standby = facts.maps?.standby?.standby { json.add("standby", standby.release.release.json) }
    json.add("trial", facts.maps?.trial != nil)
    json.add("expired", facts.terms.isExpired)
    json.add("damaged", facts.maps?.damaged ?? 0)
    json.add("waiting", facts.maps?.waiting.count ?? 0)
    if let maps = facts.maps { json.add("free", maps.free) }
    let area = facts.maps?.area ?? AreaRecord()
    let refused = (facts.maps?.refused ?? []).map { $0.id }.filter { area[$0] == nil }.prefix(3)
    if cause > 0, !refused.isEmpty { json.add("refused", Array(refused)) }
    // What the store has of it may be an hour old.
    if let contact = OnlineRun.contact ?? facts.contact?.time {
      json.add("contact", Clock.timestamp(contact))
    }
    if let first = facts.firstExpiry { json.add("signatures", Clock.timestamp(first.time)) }
    if let run = facts.lastRun { json.add("lastRun", DeviceReport.run(run)) }
    if let failure = facts.lastFailure {
      var run = DeviceReport.run(failure.entry)
      let text = failure.entry.text.withoutURLSecrets.cut(to: cause)
      // It may name a package that came because of the place of the device.
      if !text.isEmpty, facts.area == nil, area.arrivals.isEmpty { run.add("failure", text) }
      run.add("matters", failure.matters)
      json.add("lastFailure", run)
    }
    return json
  }

  private static func run(_ entry: HistoryEntry) -> JSON {
    var json = JSON()
    json.add("time", Clock.timestamp(entry.time))
    json.add("command", entry.command)
    json.add("result", entry.result)
    json.add("exit", entry.exitCode)
    return json
  }
}
