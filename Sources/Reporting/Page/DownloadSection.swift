internal import Platform

/// What devices at the releases before download.
struct DownloadSection {
  private let bases: [Report.Base]
  private let release: Report.Release

  init(_ bases: [Report.Base], release: Report.Release) {
    self.bases = bases
    self.release = release
  }

  var markup: Markup {
    var rows = Markup()
    for (index, base) in bases.enumerated() {
      rows += row(index == 0 ? "one release back" : "\(index + 1) releases back", base)
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

  private func row(_ title: String, _ base: Report.Base) -> Markup {
    let update = base.update
    let counts: [Markup] = [update.unchanged, update.patched, update.chained, update.inFull].map {
      "<td class=\"n\" data-n=\"\($0)\">\($0)</td>"
    }
    return """
      <tr><th scope="row"><bdi>\(base.label)</bdi> <small>\(title)</small></th>\
      <td class="n" data-n="\(update.size)">\(ByteCount(update.size))</td>\
      <td class="n" data-n="\(Bar.thousandths(update.size, of: update.fullDownload))">\
      \(ByteCount(update.size).share(of: update.fullDownload))</td>\
      <td>\(Bar.markup(update.size, of: update.fullDownload))</td>\(counts.joined)</tr>

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
