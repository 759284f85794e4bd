import Foundation
import TestSupport
import Testing

extension PublishedRepository {
  /// Directives of a server that answers `status` for all that a package of the newest release could come by.
  func denying(_ id: String, with status: Int = 403) throws -> String {
    let names = try urls(of: id).map { $0.split(separator: "/")[1].split(separator: ".")[0] }
    #expect(!names.isEmpty)
    return "location ~ (\(names.joined(separator: "|"))) { return \(status); }"
  }

  /// What the newest catalog lists of a package, as far as it is there: paths in the repository.
  func denied(_ id: String) throws -> [String] {
    try urls(of: id).filter { Checkout.isFile("\(path)/\($0)") }
  }

  private func urls(of id: String) throws -> [String] {
    let catalogs = try names("\(path)/catalogs").filter { $0.split(separator: ".").count == 4 }
    let newest = try #require(catalogs.max { number($0) < number($1) })
    let text = try ChildProcess.run("xz", ["-dc", "\(path)/catalogs/\(newest)"]).output
    let components = text.components(separatedBy: "<component ").filter { $0.contains(" id=\"\(id)\"") }
    return components.flatMap { component in
      component.components(separatedBy: "url=\"").dropFirst().compactMap {
        $0.split(separator: "\"").first.map(String.init)
      }
    }
  }

  private func number(_ catalog: String) -> Int { Int(catalog.split(separator: ".")[1]) ?? 0 }
}
