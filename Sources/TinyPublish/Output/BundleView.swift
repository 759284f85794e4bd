internal import MapModel
internal import Platform
internal import Publisher
internal import Releases

extension BundleContents {
  /// A sentence about a bundle that is complete at `path`.
  func summary(path: String) -> String {
    let devices =
      from.isEmpty
      ? "for devices without maps"
      : "for devices at \(from.map(\.release.text).joined(separator: ", "))"
    let count = "\(packages) package\(packages == 1 ? "" : "s")"
    return """
      \(path): \(release.release.text), \(devices), \(count), \(files.count) files, \
      \(Output.size(size)); usable until \(Clock.timestamp(expires))
      """.printable()
  }
}
