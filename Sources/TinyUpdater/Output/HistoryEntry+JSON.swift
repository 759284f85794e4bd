internal import Platform
internal import Store

extension HistoryEntry {
  var json: JSON {
    var json = JSON()
    write(to: &json)
    return json
  }

  func write(to json: inout JSON) {
    json.add("time", Clock.timestamp(time))
    json.add("command", command)
    json.add("result", result)
    json.add("exit", exitCode)
    json.add("from", from)
    json.add("to", to)
    json.add("downloaded", downloaded)
    json.add("peakResident", peakResident)
    json.add("milliseconds", milliseconds)
    json.add("planned", planned.json)
    json.add("happened", happened.json)
    json.add("reserve", reserve)
    json.add("failedAttempts", failedAttempts)
    if text.isEmpty { return }
    if isRemark { json.add("remark", text) } else { json.add("failure", text) }
  }
}

extension HistoryFigures {
  fileprivate var json: JSON {
    var json = JSON()
    json.add("download", download)
    json.add("index", index)
    json.add("peakDisk", peakDisk)
    return json
  }
}
