import CatalogWriting
import Crypto
import MapModel
import TestSupport
import Testing

@testable import Catalog
@testable import Publisher

/// What becomes of data files, plain or as `.dat` files.
@Suite("Component forms")
struct ComponentFormTests {
  private let scratch: TestRepository

  init() throws { scratch = try TestRepository() }

  @Test("a component is the file, byte for byte")
  func plain() async throws {
    try Maps.write(to: scratch)
    let malta = try PublisherTests.component(try await scratch.release("2024"), id: "europe/malta").entry
    #expect(try scratch.served(malta.url) == Maps.data(1))
    #expect(malta.size == malta.description.dataSize)
    #expect(Language.english.name(of: malta.description.geography.names) == "Malta")
  }

  @Test("files with the same bytes are one file of the repository, also when all are made at once")
  func sameBytes() async throws {
    for number in 0..<8 { try scratch.write("p\(number)/base.x", Maps.data(1, size: 1_000_000)) }
    let report = try await scratch.release("1", jobs: 8)
    #expect(report.components.count == 8 && Set(report.components.map(\.entry.url)).count == 1)
    #expect(try scratch.served(report.components[0].entry.url) == Maps.data(1, size: 1_000_000))
    #expect(try scratch.problems().isEmpty)
  }

  @Test("in the form dat, a component is its description and its data")
  func component() async throws {
    try Maps.write(to: scratch)
    let malta = try PublisherTests.component(
      try await scratch.release("2024", form: .dat), id: "europe/malta")
    #expect(malta.entry.name.path == "europe/malta/base.dat")
    let bytes = try scratch.served(malta.entry.url)
    let front = ComponentFile.front(of: malta.entry.description)
    #expect(bytes == front + Maps.data(1))
    #expect(Language.english.name(of: malta.entry.description.geography.names) == "Malta")
    #expect(malta.entry.url == "components/\(malta.entry.digest.hex).dat")
  }

  @Test(
    "a description that changed is a change of a .dat file, and of the catalog alone where files are plain",
    arguments: [(ComponentForm.dat, false), (.plain, true)])
  func description(form: ComponentForm, isUnchanged: Bool) async throws {
    try Maps.write(to: scratch)
    try await scratch.release("1", form: form)
    try scratch.write("europe/malta/map.xml", "<map><name>Malta and Gozo</name></map>")
    let report = try await scratch.release("2", form: form)
    #expect(report.components.map(\.isUnchanged) == [true, isUnchanged, isUnchanged])
    let malta = try PublisherTests.component(report, id: "europe/malta").entry.description
    #expect(Language.english.name(of: malta.geography.names) == "Malta and Gozo")
    #expect(malta.release.number == (isUnchanged ? 1 : 2))
  }

  @Test("a repository goes from one form to the other only where that is said, and by patches")
  func otherForm() async throws {
    try Maps.write(to: scratch)
    let dat = try await scratch.release("1", form: .dat)
    let refusal = try #require(await scratch.refusal("2"))
    #expect(refusal.sentence.contains("--form plain"), "\(refusal)")
    let plain = try await scratch.release("2", form: .plain)
    #expect(plain.gone.isEmpty)
    for component in plain.components {
      let old = try PublisherTests.component(
        dat, id: component.entry.name.id, dataGroup: component.entry.name.dataGroup)
      #expect(component.entry.patches.map(\.from) == [old.entry.digest])
      #expect(try #require(component.entry.patches.first).container.size < 1000)
    }
    // From now on it is what devices have.
    #expect(try await scratch.release("3").components.allSatisfy(\.isUnchanged))
    #expect(try await scratch.release("4", form: .dat).components.allSatisfy { !$0.entry.patches.isEmpty })
    #expect(try scratch.problems().isEmpty)
  }
}
