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
      "policy": "\(policy)", "title": "\(release.label), release \(release.release) – \(report.name)",
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
    """
    <h1><small><bdi>\(report.name)</bdi> · Release \(release.release)\(dates)</small> \
    <bdi>\(release.label)</bdi> \(tag)</h1>
    <nav class="pages" aria-label="Releases">\(report.pages.prefix(ReportLimits.namedReleases).map(pageLink).joined)</nav>
    """
  }

  /// What keeps devices from taking the release, or some of them.
  private var tag: Markup {
    if let reason = release.recalled { return "<span class=\"tag none\">recalled: \(reason)</span>" }
    guard release.rollout < 100 else { return Markup() }
    let mark: Markup = release.isOffered ? "" : " none"
    return "<span class=\"tag\(mark)\">for \(release.rollout) % of the devices</span>"
  }

  private var dates: Markup {
    var dates = Markup()
    if let published = release.published { dates += " · published \(ReportDate.day(published))" }
    if let effective = release.effective { dates += " · in effect from \(ReportDate.minute(effective))" }
    if let expires = release.expires { dates += " · until \(ReportDate.minute(expires))" }
    return dates
  }

  private func pageLink(_ other: Report.Release) -> Markup {
    let current = other.release == release.release ? " aria-current=\"page\"" as Markup : Markup()
    let mark: Markup = other.isOffered ? "" : " <small>0 %</small>"
    return "<a href=\"\(link(other) ?? "")\"\(current)><bdi>\(other.label)</bdi>\(mark)</a>\n"
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
