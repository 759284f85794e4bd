package import MapModel
package import Platform

extension Departure {
  /// What becomes of the package.
  package var sentence: String {
    successors.isEmpty
      ? "\(id) is no longer part of the release" : "\(id) is now \(successors.map { $0.text }.listed)"
  }

  package var json: JSON {
    var json = JSON()
    json.add("id", id.text)
    if !successors.isEmpty { json.add("by", successors) }
    return json
  }
}
