internal import MapModel
internal import Platform

/// The description as it is in a `.dat` file and in a catalog (`docs/format/catalog.md`, Component).
extension Description {
  /// - `newest`: the newest version that is read.
  init(_ attributes: XMLAttributes, newest: UInt64 = 1) throws(CatalogError) {
    let version = try attributes.version(upTo: newest)
    let name = try attributes.componentName()
    self.init(
      // The path is of version 2.
      name: version > 1 ? name : ComponentName(id: name.id, dataGroup: name.dataGroup),
      group: try attributes.text("group"),
      country: try attributes.text("country"),
      region: try attributes.text("region"),
      release: try attributes.release(number: "release"),
      dataSize: try attributes.number("data-size"),
      indexSize: try attributes.number("index-size"),
      minimumReader: try attributes.number("minimum-reader"),
      isDetail: try attributes.claim("detail", yes: "1", no: "0"))
  }
}

extension XMLAttributes {
  /// The package, the data group and the path of a component.
  func componentName() throws(CatalogError) -> ComponentName {
    let id = try value("id") { PackageID($0) }
    let dataGroup = try value("data-group") { DataGroup($0) }
    guard optional("path") != nil else { return ComponentName(id: id, dataGroup: dataGroup) }
    return ComponentName(id: id, dataGroup: dataGroup, file: try value("path") { ComponentPath($0) })
  }
}

extension Geography {
  /// Takes an element that has just started, to its end, if it is one of these; false leaves it to the caller.
  package mutating func take<Source: ByteSource & ~Copyable>(
    _ element: String, attributes: XMLAttributes, from reader: inout XMLReader<Source>, detail: Detail
  ) throws(CatalogError) -> Bool {
    switch element {
    case "name" where detail == .sizes || detail == .corners: try reader.dropToEnd()
    case "bounds" where detail == .sizes: try reader.skipElement()
    case "name":
      let language = attributes.optional("xml:lang") ?? ""
      let text = try reader.textToEnd()
      guard !text.isEmpty, text.utf8.count <= CatalogLimits.attribute else {
        throw attributes.refused(.invalid(attribute: "name"))
      }
      guard names.count < CatalogLimits.names else { throw attributes.refused(.tooLarge) }
      names.append(LocalizedName(language: language, text: text))
    case "bounds":
      let box = Bounds(
        south: try attributes.degrees("south"), west: try attributes.degrees("west"),
        north: try attributes.degrees("north"), east: try attributes.degrees("east"))
      guard let box else { throw attributes.refused(.invalid(attribute: "bounds")) }
      bounds = box
      try reader.skipElement()
    case "polygon": try takePolygon(attributes, from: &reader, detail: detail)
    default: return false
    }
    return true
  }

  private mutating func takePolygon<Source: ByteSource & ~Copyable>(
    _ attributes: XMLAttributes, from reader: inout XMLReader<Source>, detail: Detail
  ) throws(CatalogError) {
    switch detail {
    case .full:
      guard polygons.count < CatalogLimits.polygons else { throw attributes.refused(.tooLarge) }
      polygons.append(try reader.textToEnd())
    case .covering(let point) where bounds?.contains(point) ?? true:
      try scan(PolygonScanner(measure ?? PolygonMeasure(point)), attributes, from: &reader)
    case .near(let corridor):
      let narrow = bounds.map { corridor.narrowed(to: $0) } ?? corridor
      if narrow.isEmpty { return try reader.dropToEnd() }
      try scan(PolygonScanner(measure ?? PolygonMeasure(narrow)), attributes, from: &reader)
    case .corners:
      let kept = corners.take()
      try scan(PolygonScanner(kept ?? PolygonCorners()), attributes, from: &reader)
    case .covering, .summary, .sizes: try reader.dropToEnd()
    }
  }

  /// Goes on with a scanner that has read the polygons before this one.
  private mutating func scan<Source: ByteSource & ~Copyable>(
    _ begun: consuming PolygonScanner, _ attributes: XMLAttributes, from reader: inout XMLReader<Source>
  ) throws(CatalogError) {
    let scanner = try reader.scanToEnd(begun)
    guard !scanner.isMalformed else { throw attributes.refused(.invalid(attribute: "polygon")) }
    (measure, corners) = (scanner.measure, scanner.corners)
  }
}

extension XMLReader where Source: ~Copyable {
  /// Reads to the end of the element that has just started, past any elements in it.
  package mutating func skipElement() throws(CatalogError) {
    var depth = 1
    while depth > 0 {
      switch try next() {
      case .start: depth += 1
      case .end: depth -= 1
      case .finish: throw malformed(.truncated)
      }
    }
  }

  /// Reads to the end of the element that has just started; its text, which may hold no element.
  mutating func textToEnd() throws(CatalogError) -> String {
    switch try next() {
    case .end: text
    case .start(let name, _): throw malformed(.unexpectedElement(name))
    case .finish: throw malformed(.truncated)
    }
  }

  /// The same, with the text given to `scanner` as it comes, and nothing of it kept.
  mutating func scanToEnd(_ scanner: PolygonScanner) throws(CatalogError) -> PolygonScanner {
    beginScanning(scanner)
    _ = try textToEnd()
    var scanner = endScanning() ?? scanner
    scanner.finish()
    return scanner
  }

  /// The same, without the text.
  mutating func dropToEnd() throws(CatalogError) {
    beginScanning(nil)
    _ = try textToEnd()
    _ = endScanning()
  }

  /// Reads the start of the document's outermost element.
  package mutating func root(_ expected: String) throws(CatalogError) -> XMLAttributes {
    guard case .start(let name, let attributes) = try next() else { throw malformed(.truncated) }
    guard name == expected else { throw malformed(.unexpectedElement(name)) }
    return XMLAttributes(attributes, path: path, at: position)
  }
}
