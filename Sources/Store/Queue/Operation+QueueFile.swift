internal import MapModel
internal import Platform

/// The file of an operation in the queue (`docs/format/store.md`, Queue): lines, the last one `end`.
extension Operation {
  private static var format: String { "tinyupdater-operation 1" }

  var text: String {
    var text = "\(Operation.format)\n\(word)\n"
    for id in ids { text += "id \(id)\n" }
    for id in except { text += "except \(id)\n" }
    if let release { text += "release \(release)\n" }
    if isOwed { text += "owed\n" }
    if let word = mode.word { text += "\(word)\n" }
    return text + "end\n"
  }

  init?(_ text: String) {
    guard let lines = SealedText.lines(ofEnded: text, format: Operation.format),
      (1...2 * StoreLimits.operationIDs + 3).contains(lines.count), lines[0].count == 1
    else { return nil }
    let word = lines[0][0]
    var (ids, except): ([PackageID], [PackageID]) = ([], [])
    var release: ReleaseName?
    var isOwed = false
    var mode = UpdateMode.atOnce
    for words in lines[1...] {
      if words.count == 1, ["apply", "area"].contains(word), mode == .atOnce,
        let found = UpdateMode(word: words[0])
      {
        mode = found
        continue
      }
      if words == ["owed"], !isOwed, word == "install" {
        isOwed = true
        continue
      }
      if words.first == "release", words.count == 2, word == "apply", release == nil {
        guard let name = ReleaseName(words[1]) else { return nil }
        release = name
        continue
      }
      guard words.count == 2, let id = PackageID(words[1]) else { return nil }
      switch words[0] {
      case "id": ids.append(id)
      case "except": except.append(id)
      default: return nil
      }
    }
    switch word {
    case "apply": self = .update(of: ids, to: release, mode: mode)
    case "install": self = .install(ids, except: except, isOwed: isOwed)
    case "uninstall": self = .uninstall(ids, except: except)
    case "repair":
      guard except.isEmpty else { return nil }
      self = .repair(ids)
    case "area":
      guard ids.isEmpty, except.isEmpty else { return nil }
      self = .area(mode: mode)
    default: return nil
    }
  }

  // MARK: - Its cancellation

  private static var cancelFormat: String { "tinyupdater-cancel 1" }

  /// The text of a request to cancel `ids` of an operation, or all of it if there are none.
  static func cancellation(of ids: [PackageID]) -> String {
    ids.reduce("\(cancelFormat)\n") { $0 + "id \($1)\n" } + "end\n"
  }

  /// The ids of such a text; none if it is another one.
  static func ids(ofCancellation text: String) -> [PackageID] {
    guard let lines = SealedText.lines(ofEnded: text, format: cancelFormat) else { return [] }
    var ids: [PackageID] = []
    for words in lines {
      guard words.count == 2, words[0] == "id", let id = PackageID(words[1]) else { return [] }
      ids.append(id)
    }
    return ids
  }
}

extension UpdateMode {
  /// The line of the operation; nil if there is none.
  fileprivate var word: String? {
    switch self {
    case .atOnce: nil
    case .staged: "staged"
    case .automatic: "automatic"
    }
  }

  fileprivate init?(word: String) {
    switch word {
    case "staged": self = .staged
    case "automatic": self = .automatic
    default: return nil
    }
  }
}
