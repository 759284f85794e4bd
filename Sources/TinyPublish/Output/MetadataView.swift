internal import Crypto
internal import MapModel
internal import Platform
internal import Publisher
internal import Releases
internal import Trust

/// How signed metadata is shown.
enum MetadataView {
  /// The table of versions and expiry dates.
  static func expiry(_ served: ServedMetadata) -> String { expiry(Root.TopLevel.allCases.map { served[$0] }) }

  static func expiry(_ files: [SignedFile]) -> String {
    var table = Table([("role", .left), ("version", .right), ("expires", .left)])
    for file in files { table.add([file.role.name, "\(file.version)", Clock.timestamp(file.expires)]) }
    return table.text
  }

  /// The contents of a file, for its signer.
  static func content(of file: SignedFile) throws(PublisherError) -> String {
    content(of: file, root: try file.rootContent, releases: try file.releases)
  }

  private static func content(
    of file: SignedFile, root content: RootContent?, releases: [ServedRelease]?
  ) -> String {
    var lines = [
      (title: "format", value: "\(file.role.name) metadata"), ("version", "\(file.version)"),
      ("expires", Clock.timestamp(file.expires)),
    ]
    if let issued = file.issued { lines.append(("signed", Clock.timestamp(issued))) }
    var text = Output.lines(lines)
    if let content {
      var table = Table([("role", .left), ("keys", .left), ("key id", .left), ("type", .left)])
      for role in Root.TopLevel.allCases {
        for key in content[role].keys {
          table.add([
            role.name, "\(content[role].threshold) of \(content[role].keys.count)", key.shortID,
            key.scheme.keytype,
          ])
        }
      }
      text += "\n" + table.text
    }
    if let releases { text += "\n" + MetadataView.releases(releases) }
    return text
  }

  /// The text of `inspect`.
  static func text(_ metadata: MetadataInspection) -> String {
    var table = Table([("signature by", .left), ("", .left)])
    for row in metadata.signatures {
      let verdict = row.isValid.map { $0 ? "valid" : "does not count" } ?? "not verified"
      table.add([MetadataKey.short(row.keyID), verdict])
    }
    let verdict =
      metadata.verifyingRoot.map { "verified with \($0), whose threshold is \(metadata.threshold ?? 0)\n" }
      ?? ""
    return content(of: metadata.file, root: metadata.content, releases: metadata.releases) + "\n" + table.text
      + verdict
  }

  /// Which devices a release is for.
  static func share(of release: ServedRelease) -> String {
    release.recall == nil ? "\(release.rollout) %" : "recalled"
  }

  static func releases(_ releases: [ServedRelease]) -> String {
    var table = Table([
      ("release", .right), ("label", .left), ("rollout", .right), ("effective", .left), ("until", .left),
      ("application", .left), ("catalog", .left),
    ])
    for release in releases {
      table.add([
        "\(release.number)", release.label, share(of: release),
        release.effective.map { Clock.timestamp($0) } ?? "at once",
        release.expires.map { Clock.timestamp($0) } ?? "-",
        release.minimumApplication > 0 ? "from \(release.minimumApplication)" : "any",
        String(release.catalog.digest.hex.prefix(16)),
      ])
    }
    return table.text
  }

  static func sentence(_ missing: [MissingSignatures], in repository: String) -> String {
    let files = missing.map {
      "\($0.file) has \($0.found) of the \($0.threshold) \($0.role.name) signatures it needs"
    }
    return """
      \(files.joined(separator: ", ")). Devices do not see the change yet. "tinypublish sign export \(repository)" \
      copies the files to sign, "tinypublish sign add" signs them where the keys are, and \
      "tinypublish sign import \(repository)" publishes the change.
      """
  }
}
