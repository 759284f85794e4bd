internal import MapModel
internal import Platform
internal import Releases

/// All releases up to the newest: as charts, and as a table.
struct HistorySection {
  /// The newest first.
  private let releases: [ReleaseFigures]
  private let current: Release
  private let link: (Release) -> String?

  init(_ releases: [ReleaseFigures], current: Release, link: @escaping (Release) -> String?) {
    self.releases = releases
    self.current = current
    self.link = link
  }

  var markup: Markup {
    """
    <section id="history" aria-labelledby="history-title">
    <h2 id="history-title">History</h2>
    <div class="charts">
    \(chart("Update from the release before") { $0.update?.bytes })
    \(chart("Size of all maps") { $0.size })
    </div>
    <div class="wide" tabindex="0" role="region" aria-labelledby="history-title">
    <table class="sortable">
    <thead><tr>
    <th scope="col" class="n">Release</th>
    <th scope="col">Label</th>
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

  private func row(_ figures: ReleaseFigures) -> Markup {
    let release = figures.served.release
    let label: Markup = "<bdi>\(release.label)</bdi>"
    let linked: Markup = link(release).map { "<a href=\"\($0)\">\(label)</a>" } ?? label
    let mark: Markup = release == current ? " class=\"current\"" : ""
    let cells: [Markup] = [
      HistorySection.count(figures.packages), HistorySection.count(figures.components),
      HistorySection.count(figures.changed), HistorySection.bytes(figures.size),
      HistorySection.bytes(figures.fullDownload), HistorySection.bytes(figures.update?.bytes),
      figures.update.map { update in
        """
        <td class="n" data-n="\(Bar.thousandths(update.bytes, of: update.fullDownload))">\
        \(ByteCount(update.bytes).share(of: update.fullDownload))</td>
        """
      } ?? "<td class=\"n\" data-n=\"-1\">–</td>",
      HistorySection.bytes(figures.catalogSize),
    ]
    return """
      <tr\(mark)><td class="n" data-n="\(release.number)">\(release.number)</td><th scope="row">\(linked)</th>\
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
  private func chart(_ title: String, _ value: (ReleaseFigures) -> UInt64?) -> Markup {
    let shown = Array(releases.prefix(PublisherLimits.chartedReleases).reversed())
    let largest = shown.compactMap(value).max() ?? 0
    var bars = Markup()
    for (index, figures) in shown.enumerated() {
      guard let bytes = value(figures) else { continue }
      let height = Bar.thousandths(bytes, of: largest)
      let mark: Markup = figures.served.release == current ? " class=\"current\"" : ""
      bars += """
        <rect\(mark) x="\(index * 100 + 15)" y="\(1000 - height)" width="70" height="\(height)">\
        <title>\(figures.served.label): \(ByteCount(bytes))</title></rect>
        """
    }
    return """
      <figure>
      <figcaption>\(title)</figcaption>
      <p class="top">\(ByteCount(largest))</p>
      <svg viewBox="0 0 \(shown.count * 100) 1000" preserveAspectRatio="none" aria-hidden="true">\(bars)</svg>
      <p class="axis"><bdi>\(shown.first?.served.label ?? "")</bdi> \
      <bdi>\(shown.count > 1 ? shown.last?.served.label ?? "" : "")</bdi></p>
      </figure>
      """
  }
}
