import MapModel
import Platform
import TestSupport
import Testing

@testable import Store

@Suite("Damage note")
struct DamageNoteTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch("damage") }

  private func files() throws -> VerificationFiles {
    try Directory(opening: scratch.path).makeDirectory("generations")
    return try VerificationFiles(opening: scratch.path)
  }

  @Test("an entry is about its generation and older ones with the same file, and about no newer one")
  func generations() throws {
    var note = DamageNote()
    let (a, other) = (try Fixture.component("a", text: "alpha"), try Fixture.component("a", text: "beta"))
    let isAdded = note.add(a, .component, in: 7)
    #expect(isAdded)
    #expect(note.part(a, in: 7) == .component && note.part(a, in: 6) == .component)
    #expect(note.part(a, in: 8) == nil && note.part(other, in: 7) == nil)
    note.extend(a, to: 9)
    #expect(note.part(a, in: 9) == .component && note.part(a, in: 10) == nil)
    note.removeEntries(before: 9)
    #expect(!note.isEmpty)
    note.removeEntries(before: 10)
    #expect(note.isEmpty)
  }

  @Test("a full note takes no more, and can still change what it has")
  func full() throws {
    var note = DamageNote()
    for number in 0..<StoreLimits.damaged {
      let component = try Fixture.component(PackageID("p\(number)"), text: "x")
      let isAdded = note.add(component, .index, in: 1)
      #expect(isAdded)
    }
    let isAdded = note.add(try Fixture.component("another", text: "x"), .index, in: 1)
    let isChanged = note.add(try Fixture.component("p7", text: "x"), .component, in: 2)
    #expect(!isAdded && isChanged)
    #expect(note.part(try Fixture.component("p7", text: "x"), in: 2) == .component)
  }

  @Test("what was noted is read back, and an empty note leaves no file")
  func stored() throws {
    let files = try files()
    let component = try Fixture.component("a/b", text: "alpha")
    try files.changeDamage { _ = $0.add(component, .index, in: 3) }
    #expect(try files.damage().part(component, in: 3) == .index)
    try files.changeDamage { $0.remove(component) }
    #expect(try files.damage() == DamageNote())
    #expect(try scratch.names() == ["generations"])
  }

  @Test("a verification record is read back, with a position and without")
  func record() throws {
    let files = try files()
    #expect(try files.record() == nil)
    var record = VerificationRecord(of: 7, at: 100)
    (record.latest, record.components) = (200, 3)
    record.position = ComponentName(id: "a/b", dataGroup: "base")
    try files.write(record)
    #expect(try files.record() == record && !record.isComplete)
    record.position = nil
    try files.write(record)
    #expect(try files.record() == record && record.isComplete)
  }

  @Test("every prefix of both files, and every flipped byte, says nothing")
  func hostile() throws {
    let files = try files()
    let component = try Fixture.component("a", text: "alpha")
    try files.changeDamage { _ = $0.add(component, .component, in: 1) }
    try files.write(VerificationRecord(of: 1, at: 5))
    for name in ["damage", "verification"] {
      let whole = try contents("\(scratch.path)/\(name)")
      var broken = (0..<whole.count).map { Array(whole[..<$0]) }
      for index in whole.indices {
        var bytes = whole
        bytes[index] ^= 1
        broken.append(bytes)
      }
      broken.append(whole + [10])
      for bytes in broken {
        let file = try Directory(opening: scratch.path).open(name, to: .replace)
        try file.write(bytes.span.bytes)
        try file.close()
        if name == "damage" {
          #expect(try files.damage().isEmpty)
        } else {
          #expect(try files.record() == nil)
        }
      }
    }
  }

  @Test("whatever has the name of a file is replaced", arguments: ["damage", "verification", "damage.new"])
  func strays(name: String) throws {
    let files = try files()
    try scratch.write("\(name)/stray", "x")
    let component = try Fixture.component("a", text: "alpha")
    try files.changeDamage { _ = $0.add(component, .component, in: 1) }
    try files.write(VerificationRecord(of: 1, at: 5))
    #expect(try files.damage().part(component, in: 1) == .component)
    #expect(try files.record()?.generation == 1)
  }
}
