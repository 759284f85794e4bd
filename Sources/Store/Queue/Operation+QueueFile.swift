internal import MapModel
internal import Platform

/// The file of an operation in the queue (`docs/format/store.md`, Queue): lines, the last one `end`.
extension Operation {
  var text: String {
    var text = "tinyupdater-operation 1\n\(word)\n"
    for id in ids { text += "id \(id)\n" }
    for id in except { text += "except \(id)\n" }
    if let release { text += "release \(release)\n" }
    if isOwed { text += "owed\n" }
    return text + "end\n"
  }

  init?(_ text: String) {
    let lines = text.parts(separatedBy: "\n", limit: StoreLimits.operationIDs * 2 + 6)
    guard lines.count >= 4, lines[0] == "tinyupdater-operation 1", lines[lines.count - 2] == "end",
      lines[lines.count - 1].isEmpty
    else { return nil }
    var (ids, except): ([PackageID], [PackageID]) = ([], [])
    var release: ReleaseName?
    var isOwed = false
    for line in lines[2..<lines.count - 2] {
      let words = line.parts(separatedBy: " ", limit: 2)
      if words.count == 2, words[0] == "release", release == nil, let name = ReleaseName(words[1]) {
        release = name
        continue
      }
      if words == ["owed"], !isOwed, lines[1] == "install" {
        isOwed = true
        continue
      }
      guard words.count == 2, let id = PackageID(words[1]) else { return nil }
      switch words[0] {
      case "id": ids.append(id)
      case "except": except.append(id)
      default: return nil
      }
    }
    guard release == nil || lines[1] == "apply" else { return nil }
    switch lines[1] {
    case "apply": self = .update(of: ids, to: release)
    case "install": self = .install(ids, except: except, isOwed: isOwed)
    case "uninstall": self = .uninstall(ids, except: except)
    case "repair":
      guard except.isEmpty else { return nil }
      self = .repair(ids)
    default: return nil
    }
  }

  /// The ids of a file that has nothing else after its first lines; nil if it is another one.
  static func ids(in text: String, after head: [String]) -> [PackageID]? {
    let lines = text.parts(separatedBy: "\n", limit: StoreLimits.operationIDs + 4)
    guard lines.count >= head.count + 2, Array(lines[..<head.count]) == head,
      lines[lines.count - 2] == "end"
    else { return nil }
    var ids: [PackageID] = []
    for line in lines[head.count..<lines.count - 2] {
      let words = line.parts(separatedBy: " ", limit: 2)
      guard words.count == 2, words[0] == "id", let id = PackageID(words[1]) else { return nil }
      ids.append(id)
    }
    return ids
  }
}
