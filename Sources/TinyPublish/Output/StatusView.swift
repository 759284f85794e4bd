internal import MapModel
internal import Platform
internal import Publisher
internal import Releases
internal import Trust

/// A repository at a look, for people: at most 80 columns, unless a name is longer.
struct StatusView {
  private let status: RepositoryStatus
  private static let columns = 80

  init(_ status: RepositoryStatus) { self.status = status }

  var text: String {
    [releases, recalls, waiting, roles, lostKeys, push].filter { !$0.isEmpty }.joined(separator: "\n")
  }

  // MARK: - Releases

  /// A kind of date that no release has gets no column; long labels are cut.
  private var releases: String {
    let list = status.served.releases
    guard !list.isEmpty else { return "\(status.path) has no release yet.\n" }
    let (hasStart, hasEnd) = (list.contains { $0.effective != nil }, list.contains { $0.expires != nil })
    var columns: [(title: String, alignment: Table.Alignment)] = [
      ("release", .right), ("label", .left), ("rollout", .right), ("published", .left),
    ]
    if hasStart { columns.append(("effective", .left)) }
    if hasEnd { columns.append(("until", .left)) }
    var table = Table(columns)
    let numbers = max(7, list.map { "\($0.number)".count }.max() ?? 0)
    let dates = (hasStart ? 18 : 0) + (hasEnd ? 18 : 0)
    let room = max(8, StatusView.columns - numbers - 2 - 2 - 8 - 2 - 10 - dates)
    for release in list {
      var row = [
        "\(release.number)", StatusView.cut(release.label.printable(), to: room),
        MetadataView.share(of: release), status.published[release.number].map { Clock.date($0) } ?? "unknown",
      ]
      if hasStart { row.append(release.effective.map(StatusView.minute) ?? "at once") }
      if hasEnd { row.append(release.expires.map(StatusView.minute) ?? "-") }
      table.add(row)
    }
    return table.text
  }

  /// Such as "2026-12-24 09:01", in UTC.
  private static func minute(_ seconds: Int64) -> String {
    String(Clock.timestamp(seconds).prefix(16)).replacing("T", with: " ")
  }

  private static func cut(_ text: String, to count: Int) -> String {
    text.count <= count ? text : "\(text.prefix(count - 1))…"
  }

  private var recalls: String {
    status.served.releases.compactMap { release in
      release.recall.map { recall in
        let way = recall.back.map { "; devices go back to \($0.release.text) by patches" } ?? ""
        return StatusView.paragraph("\(release.label) is recalled: \(recall.reason)\(way)")
      }
    }.joined()
  }

  // MARK: - Signatures

  private var waiting: String {
    guard !status.waiting.isEmpty else { return "" }
    var text = "Waiting for signatures; devices do not see it:\n"
    for waiting in status.waiting {
      let count =
        waiting.missing.map { "\($0.found) of \($0.threshold) signatures of \($0.role.name)" }
        ?? "has all signatures"
      text += StatusView.paragraph("\(waiting.file.name): \(count)", indent: 2)
      for change in waiting.changes { text += StatusView.paragraph(StatusView.sentence(change), indent: 4) }
    }
    text += StatusView.paragraph(
      """
      "tinypublish sign export \(status.path)" copies these files, "sign add" signs them where the keys are, and \
      "tinypublish sign import \(status.path)" publishes them.
      """)
    return text
  }

  private static func sentence(_ change: RepositoryStatus.Change) -> String {
    switch change {
    case .new(let release): "new: \(release.release.text), for \(release.rollout) % of the devices"
    case .changed(let release):
      "changed: \(release.release.text), "
        + (release.recall == nil ? "for \(release.rollout) % of the devices" : "recalled")
    case .withdrawn(let release): "withdrawn: \(release.release.text)"
    }
  }

  // MARK: - Roles

  private var roles: String {
    var table = Table([
      ("role", .left), ("version", .right), ("expires", .left), ("days", .right), ("keys", .left),
    ])
    for role in status.roles {
      table.add([
        role.role.name, "\(role.version)", Clock.timestamp(role.expires),
        role.state == .expired ? "expired" : "\(role.days)", "\(role.threshold) of \(role.keys)",
      ])
    }
    return table.text
  }

  /// What it means to lose a key of the roles that have none to spare.
  private var lostKeys: String {
    let bare = status.roles.filter { $0.spareKeys == 0 }.map(\.role)
    var text = ""
    if bare.contains(.root) {
      text += StatusView.paragraph(
        """
        root has no key to spare: without one of its keys no key can be replaced any more, and the repository ends when \
        its root expires. "tinypublish key add \(status.path) root" makes another one.
        """)
    }
    let others = bare.filter { $0 != .root }.map(\.name)
    guard let last = others.last else { return text }
    let names = others.count > 1 ? others.dropLast().joined(separator: ", ") + " and " + last : last
    return text
      + StatusView.paragraph(
        """
        \(names) \(others.count > 1 ? "have" : "has") no key to spare: without one of them nothing new can be published \
        until "tinypublish key rotate \(status.path) ROLE" has replaced it, which takes the keys of root.
        """)
  }

  // MARK: - The last push

  private var push: String {
    guard case .known(let push) = status.push else { return "" }
    let release = push.release.map { "release \($0), \(push.label ?? "")" } ?? "no release"
    let state = push.timestamp == status.served.timestamp.version ? "" : "; it has changed since"
    return StatusView.paragraph("Last pushed \(push.time) to \(push.destination): \(release)\(state).")
  }

  // MARK: - Warnings

  /// Sentences that say what to run.
  var warnings: [String] {
    let path = status.path
    var warnings = status.roles.compactMap { role -> String? in
      let name = role.role.name
      let command = role.role == .timestamp ? "timestamp \(path)" : "renew \(path) \(name)"
      let hint = "\"tinypublish \(command)\" signs it again."
      return switch role.state {
      case .valid: nil
      case .due: "The \(name) expires at \(Clock.timestamp(role.expires)). \(hint)"
      case .expired:
        "The \(name) expired at \(Clock.timestamp(role.expires)): devices keep their maps and take nothing new. \(hint)"
      }
    }
    for role in status.roles where role.isUnfinished {
      warnings.append(
        """
        The \(role.role.name) is not signed by the keys of the newest root: a change of keys was interrupted. \
        "tinypublish timestamp \(path)" completes it.
        """)
    }
    if case .damaged(let path) = status.push {
      warnings.append("\(path) is not the record of a push. Remove it; the next push writes it anew.")
    }
    return warnings
  }

  // MARK: - Text

  /// Breaks a text into lines between its words; the lines after the first are indented by two more.
  private static func paragraph(_ text: String, indent: Int = 0) -> String {
    var lines: [String] = []
    var line = String(repeating: " ", count: indent)
    var isEmpty = true
    for word in text.printable().split(separator: " ") {
      if !isEmpty && line.count + 1 + word.count > columns {
        lines.append(line)
        (line, isEmpty) = (String(repeating: " ", count: indent + 2), true)
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return (lines + [line]).map { $0 + "\n" }.joined()
  }
}
