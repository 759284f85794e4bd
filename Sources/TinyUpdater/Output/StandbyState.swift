internal import MapModel
internal import Platform
internal import Store
internal import Updater

/// A release that stands by, for people and for programs.
struct StandbyState {
  let standby: Standby
  /// It can follow the current generation as it is.
  let isReady: Bool
  /// Bytes that it takes beside the installed maps, at most.
  let size: UInt64

  /// Nil if nothing stands by.
  init?(_ store: borrowing Store) throws(Failure) {
    guard let standby = try store.standby() else { return nil }
    self.standby = standby
    isReady = try store.readyStandby() != nil
    size = try store.space(of: standby)
  }

  var json: JSON {
    var json = standby.release.release.json
    json.add("time", Clock.timestamp(standby.time))
    json.add("size", size)
    json.add("ready", isReady)
    if let effective = standby.effective { json.add("effective", Clock.timestamp(effective)) }
    json.add("inPlace", standby.generation == nil)
    return json
  }

  /// Such as "release 4 (2024-06-30) since 2024-07-01T12:00:00Z, 3.99 MB".
  var text: String {
    var text =
      "\(standby.release.release.text) since \(Clock.timestamp(standby.time)), \(ByteCount(size).text)"
    if let effective = standby.effective { text += ", in effect from \(Clock.timestamp(effective))" }
    return text
  }

  /// What makes it current.
  var advice: String {
    guard isReady else {
      return "the maps have changed since, and \"tinyupdater apply --stage\" completes it"
    }
    return standby.generation == nil
      ? "\"tinyupdater activate\" makes it in the place of the installed maps"
      : "\"tinyupdater activate\" switches to it"
  }
}
