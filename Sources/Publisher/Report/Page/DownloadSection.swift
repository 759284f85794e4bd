internal import MapModel
internal import Platform

/// What devices at the releases before download.
struct DownloadSection {
  private let downloads: [(base: Release, figures: DeviceDownload)]
  private let release: ReleaseFigures

  init(_ downloads: [(base: Release, figures: DeviceDownload)], release: ReleaseFigures) {
    self.downloads = downloads
    self.release = release
  }

  var markup: Markup {
    var rows = Markup()
    for (index, download) in downloads.enumerated() {
      rows += row(index == 0 ? "one release back" : "\(index + 1) releases back", download)
    }
    let full = release.fullDownload
    return """
      <section id="downloads" aria-labelledby="downloads-title">
      <h2 id="downloads-title">What a device downloads</h2>
      <p>A device with all packages of its release, each component in the way that takes the fewest bytes. New packages are \
      not counted, new data groups of a package are.</p>
      <div class="wide" tabindex="0" role="region" aria-labelledby="downloads-title">
      <table class="sortable">
      <thead><tr>
      <th scope="col">Device</th>
      <th scope="col" class="n">Download</th>
      <th scope="col" class="n">Of full</th>
      <th scope="col" class="bars">Share</th>
      <th scope="col" class="n">Unchanged</th>
      <th scope="col" class="n">By patch</th>
      <th scope="col" class="n">By chain</th>
      <th scope="col" class="n">In full</th>
      </tr></thead>
      <tbody>
      \(rows)<tr><th scope="row">without maps</th><td class="n" data-n="\(full)">\(ByteCount(full))</td>\
      <td class="n" data-n="1000">\(ByteCount(full).share(of: full))</td><td>\(Bar.markup(full, of: full))</td>\
      <td class="n" data-n="0">0</td><td class="n" data-n="0">0</td><td class="n" data-n="0">0</td>\
      <td class="n" data-n="\(release.components)">\(release.components)</td></tr>
      </tbody>
      </table>
      </div>
      </section>
      """
  }

  private func row(_ title: String, _ download: (base: Release, figures: DeviceDownload)) -> Markup {
    let figures = download.figures
    let counts: [Markup] = [figures.unchanged, figures.patched, figures.chained, figures.inFull].map {
      "<td class=\"n\" data-n=\"\($0)\">\($0)</td>"
    }
    return """
      <tr><th scope="row"><bdi>\(download.base.label)</bdi> <small>\(title)</small></th>\
      <td class="n" data-n="\(figures.bytes)">\(ByteCount(figures.bytes))</td>\
      <td class="n" data-n="\(Bar.thousandths(figures.bytes, of: figures.fullDownload))">\
      \(ByteCount(figures.bytes).share(of: figures.fullDownload))</td>\
      <td>\(Bar.markup(figures.bytes, of: figures.fullDownload))</td>\(counts.joined)</tr>

      """
  }
}

/// A number as a part of a line.
enum Bar {
  static func markup(_ part: UInt64, of whole: UInt64) -> Markup {
    let share = thousandths(part, of: whole)
    return """
      <svg class="bar" aria-hidden="true"><rect class="track" width="100%" height="100%"/>\
      <rect class="part" width="\(share / 10).\(share % 10)%" height="100%"/></svg>
      """
  }

  static func thousandths(_ part: UInt64, of whole: UInt64) -> UInt64 {
    guard whole > 0 else { return 0 }
    return UInt64((Double(min(part, whole)) / Double(whole) * 1000).rounded())
  }
}
