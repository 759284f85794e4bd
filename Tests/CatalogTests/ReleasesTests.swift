import Crypto
import Testing

@testable import Catalog

@Suite("Releases")
struct ReleasesTests {
  private static let releases = [
    ServedRelease(release: Release(number: 3, label: "2023-11-30"), catalog: Fixture.digest(1), size: 15120),
    ServedRelease(release: Release(number: 5, label: "2024-06-30"), catalog: Fixture.digest(2), size: 15233),
  ]

  @Test("the list is written byte for byte as the format says")
  func document() {
    let expected = """
      <?xml version="1.0" encoding="UTF-8"?>
      <releases version="1">
        <release number="3" label="2023-11-30" catalog="\(Fixture.digest(1).hex)" size="15120"/>
        <release number="5" label="2024-06-30" catalog="\(Fixture.digest(2).hex)" size="15233"/>
      </releases>

      """
    #expect(Releases.document(Self.releases) == expected)
  }

  @Test("the list reads back as it was written, and so does an empty one")
  func roundTrip() throws {
    #expect(try read(Releases.document(Self.releases)) == Self.releases)
    #expect(try read(Releases.document([])) == [])
  }

  @Test("numbers have to rise")
  func order() {
    let text = Releases.document(Self.releases.reversed())
    #expect(flaw { () throws(CatalogError) in _ = try read(text) } == .unsorted(id: "2023-11-30"))
  }

  @Test("a catalog has its digest for a name")
  func url() {
    #expect(Self.releases[0].url == "catalogs/\(Fixture.digest(1).hex).update.xz")
  }

  @Test("every prefix and every flipped byte is refused or gives valid labels in order")
  func hostile() {
    for bytes in Fixture.mutations(of: Array(Releases.document(Self.releases).utf8)) {
      do throws(CatalogError) {
        let found = try Releases.read(BytesSource(bytes), path: Releases.fileName)
        #expect(found.allSatisfy { Identifier.isLabel($0.release.label) })
        #expect(zip(found, found.dropFirst()).allSatisfy { $0.release.number < $1.release.number })
      } catch { #expect(!error.sentence.isEmpty) }
    }
  }

  private func read(_ text: String) throws(CatalogError) -> [ServedRelease] {
    try Releases.read(BytesSource(text), path: Releases.fileName)
  }
}
