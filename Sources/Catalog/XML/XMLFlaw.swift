package import MapModel
internal import Platform

/// What is wrong with an XML document.
package indirect enum XMLFlaw: Equatable {
  /// Not well-formed; the number is expat's `XML_Error`.
  case syntax(expat: UInt32)
  case truncated
  /// A document type definition: no format of ours has one, and they can blow up.
  case hasDoctype
  case tooDeep
  /// One tag or text is larger than a reader may hold.
  case tooLarge
  /// The whole document has more bytes than a reader may read.
  case documentTooLarge(limit: UInt64)
  case outOfMemory
  case unexpectedElement(String)
  case missing(attribute: String)
  case invalid(attribute: String)
  case unsupportedVersion
  /// The entries are not in order, or one is there twice.
  case unsorted(ComponentName)
  /// The same of a part, which has a package like this one.
  case unsortedPart(from: PackageID)
  /// The part was said to begin or end elsewhere, or to be of another level.
  case notInPart(id: PackageID)
  /// A region is not directly before the first component below it, after the regions around it.
  case misplacedRegion(id: PackageID)
  /// The package lies below another one: its directory would have to hold files of both.
  case nestedPackage(id: PackageID)

  package var sentence: String {
    switch self {
    case .syntax(let code): "the XML is malformed (expat error \(code))"
    case .truncated: "the document ends too early"
    case .hasDoctype: "the document has a DOCTYPE, which is not allowed"
    case .tooDeep: "the elements are nested too deeply"
    case .tooLarge: "an element is too large"
    case .documentTooLarge(let limit): "the document has more than \(ByteCount(limit).text)"
    case .outOfMemory: "no memory to read it"
    case .unexpectedElement(let name): "<\(name)> does not belong here"
    case .missing(let attribute): "the attribute or element \"\(attribute)\" is missing"
    case .invalid(let attribute): "the value of \"\(attribute)\" is not valid"
    case .unsupportedVersion: "the format is newer than this program"
    case .unsorted(let name): "\(name.path) is out of order or there twice"
    case .unsortedPart(let id): "the part that begins with \(id) is out of order or ends before it begins"
    case .notInPart(let id): "\(id) does not belong into this part of the catalog"
    case .misplacedRegion(let id): "the region \(id) is not directly before its first component"
    case .nestedPackage(let id): "the package \(id) lies inside another package"
    }
  }
}
