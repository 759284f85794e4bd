package import MapModel
package import MapTree
package import Platform

extension Release {
  package var json: JSON {
    var json = JSON()
    json.add("number", number)
    json.add("label", label)
    return json
  }
}

extension Payload {
  /// What `payload` says in events: a chain consists of patches.
  package var kind: String {
    switch self {
    case .chain: "patch"
    case .staged, .patch, .packed, .whole: method
    }
  }
}

extension Plan {
  /// The sums of a plan.
  package func write(to json: inout JSON) {
    json.add("kept", kept)
    json.add("patched", patched)
    json.add("chained", chained)
    json.add("full", full)
    json.add("removed", removed)
    if !departures.isEmpty { json.add("departures", departures.map { $0.json }) }
    json.add("download", download)
    json.add("patchDownload", patchDownload)
    json.add("fullDownload", fullDownload)
    json.add("downloadWithoutPatches", downloadWithoutPatches)
    json.add("recompressed", recompressed)
    json.add("newSize", newSize)
    json.add("installedSize", installedSize)
    json.add("indexSize", indexSize)
    json.add("peakDisk", peakDisk)
    json.add("peakFiles", peakFiles)
    json.add("peakIncludesIndex", includesIndexes)
    json.add("memory", memory)
  }
}
