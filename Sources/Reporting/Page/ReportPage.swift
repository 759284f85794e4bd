internal import Platform

/// One page of a report: a release, complete in a single file.
struct ReportPage {
  private let report: Report
  private let release: Report.Release
  private let details: Report.Details

  /// - `release`: one that has a page.
  init(of release: Report.Release, in report: Report) {
    self.report = report
    self.release = release
    details =
      release.details ?? Report.Details(bases: [], packages: [], largest: [], inFull: [], pruned: 0)
  }

  /// The file of a release's page.
  static func fileName(_ release: Report.Release, in report: Report) -> String {
    release.release == report.pages.first?.release ? "index.html" : "release-\(release.release).html"
  }

  static var style: [UInt8] { PackageResources.report_css }
  static var script: [UInt8] { PackageResources.report_js }

  func html() throws(ReportError) -> [UInt8] {
    let (style, script) = (ReportPage.style, ReportPage.script)
    let policy = """
      default-src 'none'; style-src \(try PolicySource.digest(of: style)); \
      script-src \(try PolicySource.digest(of: script)); base-uri 'none'; form-action 'none'
      """
    return PageTemplate(PackageResources.page_html).filled(with: [
      "policy": "\(policy)", "title": "\(release.label), release \(release.release)",
      "style": Markup(file: style), "script": Markup(file: script), "heading": heading,
      "summary": summary, "map": MapSection(details, places: report.place).markup,
      "packages": PackageTable(details.packages, bases: details.bases).markup,
      "downloads": DownloadSection(details.bases, release: release).markup,
      "large": LargeSection(details).markup,
      "history": HistorySection(report.releases, current: release, link: link).markup,
    ])
  }

  /// Where the page of a release is; nil if it has none.
  private func link(_ other: Report.Release) -> String? {
    other.details == nil ? nil : ReportPage.fileName(other, in: report)
  }

  private var heading: Markup {
    let rollout =
      release.rollout < 100
      ? "<span class=\"tag\">for \(release.rollout) % of the devices</span>" as Markup : Markup()
    return """
      <h1><small>Release \(release.release)</small> <bdi>\(release.label)</bdi> \(rollout)</h1>
      <nav class="pages" aria-label="Releases">\(report.pages.prefix(ReportLimits.namedReleases).map(pageLink).joined)</nav>
      """
  }

  private func pageLink(_ other: Report.Release) -> Markup {
    let current = other.release == release.release ? " aria-current=\"page\"" as Markup : Markup()
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
    if let base = details.bases.first {
      let update = base.update
      let share = ByteCount(update.size).share(of: update.fullDownload)
      tiles.append(
        ("Update", ByteCount(update.size).text, "\(share) of a full download, from <bdi>\(base.label)</bdi>")
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
