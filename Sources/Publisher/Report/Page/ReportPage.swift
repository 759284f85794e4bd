internal import MapModel
internal import Platform
internal import Releases

/// One page of a report: a release, complete in a single file.
struct ReportPage {
  let release: ReleaseFigures
  let packages: [PackageFigures]
  /// The releases before it, the nearest first, and what a device at each of them downloads.
  let downloads: [(base: Release, figures: DeviceDownload)]
  let large: [LargeUpdate]
  /// What changed from the release before.
  let candidates: LargeUpdate.Candidates
  /// Up to the newest release, the newest first.
  let history: [ReleaseFigures]
  /// The releases that have pages, the newest first.
  let pages: [Release]

  /// The file of a release's page.
  static func fileName(_ release: Release, isNewest: Bool) -> String {
    isNewest ? "index.html" : "release-\(release.number).html"
  }

  func html() throws(PublisherError) -> [UInt8] {
    let style = PackageResources.report_css
    let script = PackageResources.report_js
    let policy = """
      default-src 'none'; style-src \(try PolicySource.digest(of: style)); \
      script-src \(try PolicySource.digest(of: script)); base-uri 'none'; form-action 'none'
      """
    return PageTemplate(PackageResources.page_html).filled(with: [
      "policy": "\(policy)", "title": "\(release.served.label), release \(release.served.number)",
      "style": Markup(file: style), "script": Markup(file: script), "heading": heading,
      "summary": summary, "map": MapSection(packages, downloads: downloads).markup,
      "packages": PackageTable(packages, bases: downloads.map(\.base)).markup,
      "downloads": DownloadSection(downloads, release: release).markup,
      "large": LargeSection(large, of: candidates, base: downloads.first?.base).markup,
      "history": HistorySection(history, current: release.served.release, link: link).markup,
    ])
  }

  /// Where the page of a release is; nil if it has none.
  private func link(_ other: Release) -> String? {
    guard let index = pages.firstIndex(of: other) else { return nil }
    return ReportPage.fileName(other, isNewest: index == 0)
  }

  private var heading: Markup {
    let served = release.served
    let rollout =
      served.rollout < 100
      ? "<span class=\"tag\">for \(served.rollout) % of the devices</span>" as Markup : Markup()
    return """
      <h1><small>Release \(served.number)</small> <bdi>\(served.label)</bdi> \(rollout)</h1>
      <nav class="pages" aria-label="Releases">\(pages.prefix(ReportPage.named).map(pageLink).joined)</nav>
      """
  }

  private static let named = 6

  private func pageLink(_ other: Release) -> Markup {
    let current = other == release.served.release ? " aria-current=\"page\"" as Markup : Markup()
    return "<a href=\"\(link(other) ?? "")\"\(current)><bdi>\(other.label)</bdi></a>\n"
  }

  private var summary: Markup {
    var tiles: [(title: String, value: String, note: Markup)] = [
      ("Packages", "\(release.packages)", "\(release.components) components"),
      ("Changed", release.changed.map { "\($0)" } ?? "–", "of \(release.components) components"),
      (
        "Maps", ByteCount(release.size).text, "\(ByteCount(release.fullDownload).text) to download in full"
      ),
    ]
    if let (base, update) = downloads.first {
      let share = ByteCount(update.bytes).share(of: update.fullDownload)
      tiles.append(
        ("Update", ByteCount(update.bytes).text, "\(share) of a full download, from <bdi>\(base.label)</bdi>")
      )
    }
    let items: [Markup] = tiles.map { tile in
      "<div><dt>\(tile.title)</dt><dd>\(tile.value)<small>\(tile.note)</small></dd></div>\n"
    }
    return "<dl class=\"tiles\">\n\(items.joined)</dl>"
  }
}

extension Markup {
  /// A file of the program itself, as it is.
  fileprivate init(file: [UInt8]) { self.init(stringLiteral: String(decoding: file, as: UTF8.self)) }
}
