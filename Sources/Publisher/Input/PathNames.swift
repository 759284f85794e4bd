internal import MapModel
internal import Platform

/// The names of a package that follow from the parts of its id (`docs/format/input.md`).
struct PathNames: Equatable {
  let group: String
  let country: String
  let region: String

  /// `europe/france/grand-est/alsace` is the region "Grand Est, Alsace" of France in Europe.
  init(id: PackageID) {
    let names = id.text.parts(separatedBy: "/").map(PathNames.words)
    group = names.first ?? ""
    country = names.dropFirst().first ?? group
    region = names.dropFirst(2).joined(separator: ", ")
  }

  /// `grand-est` as "Grand Est": blanks for hyphens and underscores, each word with a capital.
  private static func words(_ part: String) -> String {
    part.split { $0 == "-" || $0 == "_" }
      .map { $0.prefix(1).uppercased() + $0.dropFirst() }
      .joined(separator: " ")
  }
}
