internal import MapModel
internal import Platform
internal import Store
internal import Updater

/// The status of a device as metrics, in the text format that Prometheus reads (version 0.0.4).
///
/// All are gauges. Times are in seconds since 1970. What is not known has no line.
struct PrometheusView {
  /// The lines, each with its line feed.
  private(set) var text = ""

  init(_ facts: StatusFacts) {
    addReleases(facts)
    addState(facts)
    addContact(facts)
    addRuns(facts)
  }

  private mutating func addReleases(_ facts: StatusFacts) {
    let maps = facts.maps
    begin("release_number", "Number of the installed release; 0: nothing is installed.")
    write(maps?.release?.number ?? 0)
    if let newest = facts.known?.newest.release {
      begin("newest_release_number", "Number of the newest release that the device knows of.")
      write(newest.number)
    }
    begin("standby_release_number", "Number of the release that stands by; 0: none does.")
    write(maps?.standby?.standby.release.release.number ?? 0)
    begin("trial", "1: the installed release is on trial.")
    write(maps?.trial == nil ? 0 : 1)
    begin("expired", "1: the installed maps are not to be used any more.")
    write(facts.terms.isExpired ? 1 : 0)
    begin("release_info", "The labels of the installed and of the newest known release.")
    write(
      1,
      [
        ("installed", maps?.release?.label ?? ""), ("newest", facts.known?.newest.release.label ?? ""),
        ("program", productVersion),
      ])
  }

  private mutating func addState(_ facts: StatusFacts) {
    let maps = facts.maps
    begin("damaged_components", "Components that are known to be damaged.")
    write(UInt64(clamping: maps?.damaged ?? 0))
    begin("queued_operations", "Operations of the queue that wait.")
    write(UInt64(clamping: maps?.waiting.count ?? 0))
    begin("refused_packages", "Packages that the server does not give to this device.")
    write(UInt64(clamping: maps?.refused.count ?? 0))
    if let maps {
      begin("free_bytes", "What the file system of the store has available.")
      write(maps.free)
    }
  }

  private mutating func addContact(_ facts: StatusFacts) {
    if let contact = facts.contact {
      begin("contact_timestamp_seconds", "When the repository was last reached.")
      write(UInt64(clamping: contact.time))
    }
    if facts.signatures.isEmpty { return }
    begin("signature_expiry_timestamp_seconds", "Until when what a role has signed is valid.")
    for signature in facts.signatures { write(UInt64(clamping: signature.time), [("role", signature.role)]) }
  }

  private mutating func addRuns(_ facts: StatusFacts) {
    if let run = facts.lastRun {
      begin("last_run_timestamp_seconds", "When the last run ended.")
      write(UInt64(clamping: run.time))
      begin("last_run_exit_code", "Exit code of the last run.")
      write(UInt64(clamping: run.exitCode), [("command", run.command), ("result", run.result)])
    }
    begin("failure_exit_code", "Exit code of the last failure that still matters; 0: none does.")
    guard let failure = facts.lastFailure, failure.matters else { return write(0) }
    let entry = failure.entry
    write(
      UInt64(clamping: entry.exitCode),
      [("command", entry.command), ("result", entry.result), ("cause", entry.text)])
    begin("failure_timestamp_seconds", "When that run ended.")
    write(UInt64(clamping: entry.time))
  }

  // MARK: - Lines

  /// The metric of the lines that follow, without the prefix of its name.
  private var name = ""

  /// Begins a metric.
  private mutating func begin(_ name: String, _ help: String) {
    self.name = "tinyupdater_" + name
    text += "# HELP " + self.name + " " + help + "\n# TYPE " + self.name + " gauge\n"
  }

  /// Adds a value with its labels.
  private mutating func write(_ value: UInt64, _ labels: [(name: String, value: String)] = []) {
    text += name
    var mark = "{"
    for label in labels {
      text += mark + label.name + "=" + PrometheusView.quoted(label.value)
      mark = ","
    }
    text += (labels.isEmpty ? " " : "} ") + "\(value)\n"
  }

  /// A label's value: of all characters, three are escaped.
  static func quoted(_ value: String) -> String {
    var bytes: [UInt8] = [UInt8(ascii: "\"")]
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "\n"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
      case UInt8(ascii: "\\"), UInt8(ascii: "\""): bytes += [UInt8(ascii: "\\"), byte]
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes + [UInt8(ascii: "\"")], as: UTF8.self)
  }
}
