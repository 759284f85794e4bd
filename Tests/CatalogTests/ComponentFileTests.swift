import CatalogWriting
import MapModel
import Platform
import TestSupport
import Testing

@testable import Catalog

@Suite("ComponentFile")
struct ComponentFileTests {
  private static let data: [UInt8] = [0, 1, 254, 255]

  @Test("the description is written byte for byte as the format says")
  func document() {
    #expect(Fixture.description.document == Fixture.document)
  }

  @Test("a component begins with the size of its description in little-endian")
  func front() {
    let front = ComponentFile.front(of: Fixture.description)
    let size = Fixture.document.utf8.count
    #expect(Array(front.prefix(8)) == [UInt8(size & 255), UInt8(size >> 8), 0, 0, 0, 0, 0, 0])
    #expect(front.dropFirst(8).elementsEqual(Fixture.document.utf8))
  }

  @Test("a component reads back as it was written")
  func roundTrip() throws {
    let component = try read(ComponentFile.front(of: Fixture.description) + Self.data, detail: .full)
    #expect(component.description == Fixture.description)
    #expect(component.dataOffset == UInt64(8 + Fixture.document.utf8.count))
  }

  @Test("a summary has no polygons")
  func summary() throws {
    let component = try read(ComponentFile.front(of: Fixture.description) + Self.data, detail: .summary)
    #expect(component.description.geography.polygons.isEmpty)
    #expect(component.description.geography.names == Fixture.description.geography.names)
  }

  @Test("text that XML has a meaning for survives")
  func escapes() throws {
    var description = Fixture.description
    description.region = "<\"Gozo\" & 'Comino'>"
    description.geography.names = [LocalizedName(language: "mt", text: "Għawdex < & > \" Ċ")]
    let component = try read(ComponentFile.front(of: description) + Self.data, detail: .full)
    #expect(component.description == description)
  }

  @Test("unknown elements and attributes are passed over")
  func unknown() throws {
    let text = Fixture.document
      .replacing("<name>Malta", with: "<future a=\"1\">text<b><c/></b></future><name>Malta")
      .replacing("version=\"1\" id", with: "version=\"1\" colour=\"red\" id")
    let component = try read(frame(text) + Self.data, detail: .full)
    #expect(component.description == Fixture.description)
  }

  @Test(
    "a description that says something impossible is refused",
    arguments: [
      ("id=\"europe/malta\"", "id=\"../etc\"", XMLFlaw.invalid(attribute: "id")),
      ("data-group=\"base\"", "data-group=\"a/b\"", .invalid(attribute: "data-group")),
      ("version=\"1\"", "version=\"2\"", .unsupportedVersion),
      ("data-size=\"4\"", "data-size=\"-4\"", .invalid(attribute: "data-size")),
      ("data-size=\"4\"", "data-size=\"9223372036854775808\"", .invalid(attribute: "data-size")),
      ("data-size=\"4\" ", "", .missing(attribute: "data-size")),
      ("label=\"2023-11-30\"", "label=\"\"", .invalid(attribute: "label")),
      ("south=\"35.80646\"", "south=\"91\"", .invalid(attribute: "bounds")),
      ("west=\"14.18361\"", "west=\"x\"", .invalid(attribute: "west")),
      (">Malte<", "><b/><", .unexpectedElement("b")),
      (">Malte<", "><", .invalid(attribute: "name")),
      ("<component ", "<catalog ", .unexpectedElement("catalog")),
    ])
  func impossible(old: String, new: String, expected: XMLFlaw) throws {
    // Only one of the two tags must fit each other for the first flaw to be found.
    let text = Fixture.document.replacing(old, with: new, maxReplacements: 1)
    let flaw = flaw { () throws(CatalogError) in _ = try read(frame(text) + Self.data, detail: .full) }
    #expect(flaw == expected)
  }

  @Test("the frame has to fit the file")
  func frames() throws {
    let whole = ComponentFile.front(of: Fixture.description) + Self.data
    let size = UInt64(whole.count)
    #expect(failure(whole + [0]) == .notAComponent(path: path, .wrongSize(expected: size, found: size + 1)))
    #expect(
      failure(Array(whole.dropLast()))
        == .notAComponent(path: path, .wrongSize(expected: size, found: size - 1)))
    #expect(failure([1, 0, 0]) == .notAComponent(path: path, .truncated))
    #expect(failure([9, 0, 0, 0, 0, 0, 0, 0, 60]) == .notAComponent(path: path, .truncated))
    #expect(
      failure([255, 255, 255, 255, 255, 255, 255, 255])
        == .notAComponent(path: path, .descriptionTooLarge(.max)))
  }

  @Test("every prefix and every flipped byte is refused or gives a valid description")
  func hostile() {
    let whole = ComponentFile.front(of: Fixture.description) + Self.data
    for bytes in Fixture.mutations(of: whole) {
      do throws(CatalogError) {
        let description = try read(bytes, detail: .full).description
        #expect(PackageID(description.name.id.text) != nil)
        #expect(DataGroup(description.name.dataGroup.text) != nil)
        #expect(Identifier.isLabel(description.release.label))
        #expect(bytes.count == whole.count)
      } catch {
        #expect(!error.sentence.isEmpty)
      }
    }
  }

  private let scratch: Scratch
  private var path: String { "\(scratch.path)/file" }

  init() throws { scratch = try Scratch() }

  private func frame(_ text: String) -> [UInt8] {
    let count = text.utf8.count
    return [UInt8(count & 255), UInt8(count >> 8), 0, 0, 0, 0, 0, 0] + Array(text.utf8)
  }

  private func read(_ bytes: [UInt8], detail: Detail) throws(CatalogError) -> ComponentFile {
    do throws(Failure) {
      let file = try File(opening: path, to: .replace)
      try file.write(bytes.span.bytes)
    } catch { throw .file(error) }
    let file: File
    do throws(Failure) { file = try File(opening: path) } catch { throw .file(error) }
    return try ComponentFile.read(file, detail: detail)
  }

  private func failure(_ bytes: [UInt8]) -> CatalogError? {
    do throws(CatalogError) { _ = try read(bytes, detail: .full) } catch { return error }
    return nil
  }
}

/// What is wrong with the XML that `body` reads; nil if nothing is.
func flaw(_ body: () throws(CatalogError) -> Void) -> XMLFlaw? {
  do throws(CatalogError) { try body() } catch {
    if case .malformed(_, _, let flaw) = error { return flaw }
    Issue.record("another error: \(error.sentence)")
  }
  return nil
}
