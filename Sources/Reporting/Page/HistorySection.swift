internal import Platform

/// All releases up to the newest: as charts, and as a table.
struct HistorySection {
  /// The newest first.
  private let releases: [Report.Release]
  private let current: Report.Release
  private let link: (Report.Release) -> String?

  init(_ releases: [Report.Release], current: Report.Release, link: @escaping (Report.Release) -> String?) {
    self.releases = releases
    self.current = current
    self.link = link
  }

  var markup: Markup {
    """
    <section id="history" aria-labelledby="history-title">
    <h2 id="history-title">History</h2>
    <div class="charts">
    \(chart("Update from the release before that devices have") { $0.update?.size })
    \(chart("Size of all maps") { $0.size })
    </div>
    <div class="wide" tabindex="0" role="region" aria-labelledby="history-title">
    <table class="sortable">
    <thead><tr>
    <th scope="col" class="n">Release</th>
    <th scope="col">Label</th>
    <th scope="col">Published</th>
    <th scope="col" class="n">Devices</th>
    <th scope="col" class="n">Packages</th>
    <th scope="col" class="n">Components</th>
    <th scope="col" class="n">Changed</th>
    <th scope="col" class="n">Size</th>
    <th scope="col" class="n">Full download</th>
    <th scope="col" class="n">Update</th>
    <th scope="col" class="n">Of full</th>
    <th scope="col" class="n">Catalog</th>
    </tr></thead>
    <tbody>
    \(releases.map(row).joined)</tbody>
    </table>
    </div>
    </section>
    """
  }

  private func row(_ release: Report.Release) -> Markup {
    let label: Markup = "<bdi>\(release.label)</bdi>"
    let linked: Markup = link(release).map { "<a href=\"\($0)\">\(label)</a>" } ?? label
    let mark: Markup = release.release == current.release ? " class=\"current\"" : ""
    let offer: Markup =
      release.recalled == nil
      ? "\(release.rollout) %" : "<abbr title=\"\(release.recalled ?? "")\">recalled</abbr>"
    let none: Markup = release.isOffered ? "" : " none"
    let cells: [Markup] = [
      "<td class=\"day\">\(release.published.map(ReportDate.day) ?? "–")</td>",
      "<td class=\"n\(none)\" data-n=\"\(release.rollout)\">\(offer)</td>",
      HistorySection.count(release.packages), HistorySection.count(release.components),
      HistorySection.count(release.changed), HistorySection.bytes(release.size),
      HistorySection.bytes(release.fullDownload), HistorySection.bytes(release.update?.size),
      release.update.map { update in
        """
        <td class="n" data-n="\(Bar.thousandths(update.size, of: update.fullDownload))">\
        \(ByteCount(update.size).share(of: update.fullDownload))</td>
        """
      } ?? "<td class=\"n\" data-n=\"-1\">–</td>",
      HistorySection.bytes(release.catalogSize),
    ]
    return """
      <tr\(mark)><td class="n" data-n="\(release.release)">\(release.release)</td><th scope="row">\(linked)</th>\
      \(cells.joined)</tr>

      """
  }

  private static func count(_ count: Int?) -> Markup {
    count.map { "<td class=\"n\" data-n=\"\($0)\">\($0)</td>" } ?? "<td class=\"n\" data-n=\"-1\">–</td>"
  }

  private static func bytes(_ count: UInt64?) -> Markup {
    count.map { "<td class=\"n\" data-n=\"\($0)\">\(ByteCount($0))</td>" }
      ?? "<td class=\"n\" data-n=\"-1\">–</td>"
  }

  /// A bar for each of the newest releases, the newest at the right.
  private func chart(_ title: String, _ value: (Report.Release) -> UInt64?) -> Markup {
    let shown = Array(releases.prefix(ReportLimits.bars).reversed())
    let largest = shown.compactMap(value).max() ?? 0
    var bars = Markup()
    for (index, release) in shown.enumerated() {
      guard let bytes = value(release) else { continue }
      let height = Bar.thousandths(bytes, of: largest)
      let mark: Markup =
        release.release == current.release ? " class=\"current\"" : release.isOffered ? "" : " class=\"none\""
      bars += """
        <rect\(mark) x="\(index * 100 + 15)" y="\(1000 - height)" width="70" height="\(height)">\
        <title>\(release.label): \(ByteCount(bytes))\(release.isOffered ? "" : ", for 0 % of the devices")</title></rect>
        """
    }
    return """
      <figure>
      <figcaption>\(title)</figcaption>
      <p class="top">\(ByteCount(largest))</p>
      <svg viewBox="0 0 \(shown.count * 100) 1000" preserveAspectRatio="none" aria-hidden="true">\(bars)</svg>
      <p class="axis"><bdi>\(shown.first?.label ?? "")</bdi> \
      <bdi>\(shown.count > 1 ? shown.last?.label ?? "" : "")</bdi></p>
      </figure>
      """
  }
}
