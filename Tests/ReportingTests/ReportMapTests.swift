import Catalog
import Testing

@testable import Reporting

@Suite("Map of a report")
struct ReportMapTests {
  private static func box(_ south: String, _ west: String, _ north: String, _ east: String) -> Report.Place {
    Report.Place(bounds: Report.Box(south: south, west: west, north: north, east: east), polygons: [])
  }

  private static func polygon(_ text: String) -> Report.Place {
    Report.Place(bounds: nil, polygons: [text])
  }

  @Test("a box or a polygon across the antimeridian stays in one piece")
  func antimeridian() throws {
    let box = try #require(Outline(Self.box("-21", "177", "-12", "-178")))
    let polygon = try #require(Outline(Self.polygon("-21,177 -12,179.5 -12,-178 -21,-178")))
    for outline in [box, polygon] {
      #expect(outline.west == 1_770_000_000 && outline.east == 1_820_000_000)
      #expect(outline.south == -210_000_000 && outline.north == -120_000_000)
    }
    // Beginning on the other side, it is the same.
    let other = try #require(Outline(Self.polygon("-21,-178 -12,-178 -12,179.5 -21,177")))
    #expect(other.west == 1_770_000_000 && other.east == 1_820_000_000)
  }

  @Test("the map is cut where nothing is, so that neighbours around the antimeridian stay neighbours")
  func cut() throws {
    let newZealand = try #require(Outline(Self.box("-47", "166", "-34", "179")))
    let fiji = try #require(Outline(Self.box("-21", "177", "-12", "-178")))
    let samoa = try #require(Outline(Self.box("-15", "-173", "-13", "-171")))
    let projection = try #require(MapProjection(around: [samoa, fiji, newZealand]))
    let lefts = [newZealand, fiji, samoa].map {
      projection.copies(of: $0).map { projection.box(of: $0).left }
    }
    #expect(lefts.allSatisfy { $0.count == 1 })
    #expect(lefts[0][0] < lefts[1][0] && lefts[1][0] < lefts[2][0])
    // From 166 to 189 degrees, with a margin: not around the globe.
    #expect(projection.box.width < projection.box.height)
    #expect(max(projection.box.width, projection.box.height) == MapProjection.side)
  }

  @Test("where there is no gap, what is cut is drawn at both edges")
  func noGap() throws {
    let boxes = [("-180", "-60"), ("-61", "61"), ("60", "170"), ("160", "-170")]
    let outlines = try boxes.map { try #require(Outline(Self.box("-10", $0.0, "10", $0.1))) }
    let projection = try #require(MapProjection(around: outlines))
    #expect(outlines.map { projection.copies(of: $0).count } == [1, 1, 1, 2])
    let copies = projection.copies(of: outlines[3]).map { projection.box(of: $0) }
    #expect(copies[0].left > projection.box.width / 2 && copies[1].left < 0)
  }

  @Test("north is up and east is right")
  func directions() throws {
    let outline = try #require(Outline(Self.box("40", "0", "50", "10")))
    let projection = try #require(MapProjection(around: [outline]))
    let south = projection.point(Outline.Place(latitude: 400_000_000, longitude: 0))
    let north = projection.point(Outline.Place(latitude: 500_000_000, longitude: 100_000_000))
    #expect(north.y < south.y && north.x > south.x)
    // At 45 degrees a degree of longitude is as long as 0.71 of latitude.
    let ratio = Double(north.x - south.x) / Double(south.y - north.y)
    #expect((0.70...0.715).contains(ratio))
  }

  @Test(
    "a polygon that is none leaves the box, or nothing",
    arguments: ["", "x", "1", "1,2,3", "91,0 0,0", "1,181 0,0", "1;2 3;4", "1,2 3"])
  func malformed(text: String) throws {
    #expect(Outline(Self.polygon(text)) == nil)
    let box = Self.box("1", "2", "3", "4")
    #expect(Outline(Report.Place(bounds: box.bounds, polygons: [text])) == Outline(box))
  }

  @Test(
    "a box that is none, and an index without a place, are no place",
    arguments: [
      Report.Box(south: "3", west: "2", north: "1", east: "4"),
      Report.Box(south: "x", west: "2", north: "3", east: "4"),
      Report.Box(south: "1", west: "2", north: "91", east: "4"),
    ])
  func malformed(box: Report.Box) {
    #expect(Outline(Report.Place(bounds: box, polygons: [])) == nil)
    var package = Self.package("a")
    let report = Report("maps", releases: [], places: [Report.Place(bounds: box, polygons: [])])
    for index in [-1, 1, .max] {
      package.place = index
      #expect(report.place(of: package) == nil)
    }
  }

  private static func package(_ id: String) -> Report.Package {
    Report.Package(
      id, name: id, dataGroups: ["base"], state: .new, components: 1, changed: 1, size: 10, fullDownload: 10,
      updates: [])
  }

  /// A drawing of packages at these places.
  private static func drawing(_ places: [Report.Place?]) -> MapDrawing {
    var packages = places.indices.map { package("\($0)") }
    for index in places.indices where places[index] != nil { packages[index].place = index }
    return MapDrawing(packages) { $0.place.flatMap { places[$0] } }
  }

  @Test("packages without a place, and all around the globe, are counted beside the map")
  func beside() throws {
    let box = Self.box("-90", "-180", "90", "180")
    let globe = Report.Place(bounds: box.bounds, polygons: ["-90,180 90,180 90,-180 -90,-180 -90,180"])
    #expect(Self.drawing([globe]).worldwide == [0])
    let drawing = Self.drawing([nil, box, Self.box("1", "2", "3", "4")])
    #expect(drawing.withoutPlace == [0] && drawing.worldwide == [1])
    let svg = drawing.svg { "n\($0)" }.source
    #expect(svg.contains("<path id=\"m2\" class=\"n2\" d=\"M"))
    #expect(!svg.contains("id=\"m0\"") && !svg.contains("id=\"m1\""))
    #expect(Self.drawing([nil, box]).svg { _ in "" } == Markup())
  }

  @Test("packages far from all others are named as outside of the first view")
  func distant() {
    let near = (0..<8).map { Self.box("\(40 + $0)", "10", "\(41 + $0)", "12") }
    let far = Self.box("-45", "170", "-40", "175")
    #expect(Self.drawing(near).distant == [])
    #expect(Self.drawing(near + [nil, far]).distant == [9])
    // A large one that reaches into the view is seen.
    #expect(Self.drawing(near + [far, Self.box("-45", "-20", "47", "11")]).distant == [8])
  }

  @Test("a polygon of very many points is drawn with as many as a screen can show")
  func manyPoints() throws {
    let points = (0..<30_000).map { "\($0 % 2 == 0 ? 10 : 20),\(Double($0) / 1000)" }
    let svg = Self.drawing([Self.polygon(points.joined(separator: " "))]).svg { _ in "" }.source
    let path = try #require(svg.split(separator: "id=\"m0\"").last)
    #expect(path.utf8.count < 20 * ReportLimits.points)
  }

  @Test("small packages are drawn over large ones")
  func order() throws {
    let svg = Self.drawing([
      Self.box("1", "1", "2", "2"), Self.box("0", "0", "9", "9"), Self.box("1", "1", "1.5", "1.5"),
    ]).svg { _ in "" }.source
    let order = svg.split(separator: "id=\"m").dropFirst().compactMap { $0.first }
    #expect(order == ["1", "0", "2"])
  }

  @Test("nothing has a shade of its own, the largest the last one, and more never a lighter one")
  func shades() {
    for sizes in [[0, 45, 49], [0, 1], [3_000_000, 40_000, 900, 0], [1, 2_000_000_000], [], [0]] as [[UInt64]]
    {
      let shades = Shades(sizes: sizes)
      #expect(shades.index(of: 0) == 0)
      let sorted = sizes.sorted()
      let indices = sorted.map(shades.index(of:))
      #expect(indices == indices.sorted())
      if let largest = sorted.last, largest > 1 { #expect(shades.index(of: largest) == Shades.count - 1) }
      #expect(shades.limits == shades.limits.sorted() && Set(shades.limits).count == shades.limits.count)
    }
    #expect(Shades(sizes: [3_000_000, 40_000, 900]).limits == [1000, 10_000, 100_000, 1_000_000])
    #expect(
      Shades.shares.index(of: 10) == 1 && Shades.shares.index(of: 11) == 2
        && Shades.shares.index(of: 501) == 6)
  }
}
