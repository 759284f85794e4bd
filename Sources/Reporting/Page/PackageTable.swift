internal import Platform

/// All packages of a release, with the figures that the map shows in colours.
///
/// It is in a `<noscript>`, which a browser with JavaScript does not parse: the script takes as many rows out of it as are
/// shown. Thousands of them would take longer than everything else on the page. Each row is a line.
struct PackageTable {
  private let packages: [Report.Package]
  private let bases: [Report.Base]

  init(_ packages: [Report.Package], bases: [Report.Base]) {
    self.packages = packages
    self.bases = bases
  }

  var markup: Markup {
    let from: [Markup] = bases.map { "<th scope=\"col\" class=\"n\">From <bdi>\($0.label)</bdi></th>\n" }
    let share: Markup = bases.isEmpty ? "" : "<th scope=\"col\" class=\"n\">Share</th>\n"
    var rows = Markup()
    for (index, package) in packages.enumerated() { rows += row(package, index: index) }
    return """
      <section id="packages" aria-labelledby="packages-title">
      <h2 id="packages-title">Packages</h2>
      <p class="js search" hidden><label>Search <input type="search" id="search" autocomplete="off" spellcheck="false" \
      placeholder="name, id, data group or state"></label> <output id="found" for="search"></output></p>
      <noscript id="package-source">
      <div class="wide" tabindex="0" role="region" aria-labelledby="packages-title">
      <table id="package-table">
      <thead><tr>
      <th scope="col">Package</th>
      \(from.joined)\(share)\
      <th scope="col" class="n">Full download</th>
      <th scope="col" class="n">Size</th>
      <th scope="col">State</th>
      <th scope="col" class="n">Changed</th>
      <th scope="col">Data groups</th>
      </tr></thead>
      <tbody>
      \(rows)</tbody>
      </table>
      </div>
      </noscript>
      <p class="js" hidden><button type="button" id="more"></button></p>
      </section>
      """
  }

  private func row(_ package: Report.Package, index: Int) -> Markup {
    let isGone = package.state == .gone
    func bytes(_ count: UInt64?) -> Markup {
      guard let count, !isGone else { return "<td class=\"n\" data-n=\"-1\">–</td>" }
      return "<td class=\"n\" data-n=\"\(count)\">\(ByteCount(count))</td>"
    }
    let updates: [Markup] = bases.indices.map {
      bytes($0 < package.updates.count ? package.updates[$0] : nil)
    }
    let share: Markup =
      bases.isEmpty
      ? ""
      : package.shareOfChange.map { "<td class=\"n\" data-n=\"\($0)\">\($0 / 10).\($0 % 10) %</td>" }
        ?? "<td class=\"n\" data-n=\"-1\">–</td>"
    let state = package.state.rawValue
    return """
      <tr id="p\(index)"><th scope="row"><a href="#m\(index)">\(package.name)</a> \
      <small>\(Markup(id: package.id))</small></th>\
      \(updates.joined)\(share)\(bytes(package.fullDownload))\(bytes(package.size))\
      <td class="state \(state)">\(state)</td>\
      <td class="n" data-n="\(package.changed)">\(package.changed) of \(package.components)</td>\
      <td>\(package.dataGroups.joined(separator: ", "))</td></tr>

      """
  }
}
