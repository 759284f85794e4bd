internal import Catalog
internal import MapModel
internal import Platform

/// Names that are allowed, and are often mistakes.
extension InputScanner {
  /// One warning of each kind; `components` are sorted.
  func nameWarnings() -> [ReleaseWarning] {
    let data = components.filter { $0.isData }
    let dated = data.filter { component in
      let name = component.description.name
      return DataFileName(name.id.text).hasDate || DataFileName(name.dataGroup.text).hasDate
    }
    let archives = data.filter { DataFileName($0.path.parts(separatedBy: "/").last ?? "").isArchive }
    let groups = Dictionary(grouping: components, by: \.description.name.id)
    let lacking = groups.filter { !$0.value.contains { $0.description.name.dataGroup == .essential } }.keys
    var warnings: [ReleaseWarning] = []
    if let first = dated.first { warnings.append(.datedNames(first: first.path, others: dated.count - 1)) }
    if let first = archives.first {
      warnings.append(.archives(first: first.path, others: archives.count - 1))
    }
    if let first = lacking.min() { warnings.append(.withoutBase(first: first, others: lacking.count - 1)) }
    return warnings
  }
}
