internal import MapModel
internal import Platform
internal import Store
internal import Updater

extension RefusedPackages.Refusal {
  /// What `list` says of a package.
  var json: JSON {
    var json = JSON()
    write(to: &json)
    return json
  }

  /// What `status` says.
  var statusJSON: JSON {
    var json = JSON()
    json.add("id", id)
    write(to: &json)
    return json
  }

  private func write(to json: inout JSON) {
    json.add("since", Clock.timestamp(since))
    json.add("cause", cause)
  }

  var sentence: String { "\(id.text) since \(Clock.timestamp(since)): \(cause)" }
}
