import MapModel
import Platform
import TestSupport
import Testing

@testable import Catalog
@testable import Publisher

/// An archive in the place of a directory: the same release, and the same refusals.
@Suite("Archives as input")
struct ArchiveInputTests {
  private let scratch: TestRepository

  init() throws { scratch = try TestRepository() }

  /// A way to pack the directory `$0/input` as `$0/maps`, whose name says nothing of its format.
  enum Packer: String, CaseIterable, Sendable {
    case ustar = "tar --format=ustar -C \"$0/input\" -cf \"$0/maps\" ."
    case gnu = "tar --format=gnu -C \"$0/input\" -cf \"$0/maps\" ."
    case pax = "tar --format=pax -C \"$0/input\" -cf \"$0/maps\" ."
    case sparse = "tar --sparse -C \"$0/input\" -cf \"$0/maps\" ."
    case names = "cd \"$0/input\" && ls -A | tar -cf \"$0/maps\" -T -"
    case gzip = "tar -C \"$0/input\" -cf - . | gzip -c >\"$0/maps\""
    case xz = "tar -C \"$0/input\" -cf - . | xz -c >\"$0/maps\""
    case zstd = "tar -C \"$0/input\" -cf - . | zstd -qc >\"$0/maps\""
    case zip = "cd \"$0/input\" && zip -qry ../maps.zip . && mv ../maps.zip \"$0/maps\""
    /// Members, or frames, one after the other, as parallel compressors make them.
    case parts =
      "tar -C \"$0/input\" -cf \"$0/t\" . && { head -c 7000 \"$0/t\" | gzip; tail -c +7001 \"$0/t\" | gzip; } >\"$0/maps\""
  }

  private var archive: String { "\(scratch.path)/maps" }

  private func run(_ script: String) throws {
    let outcome = try ChildProcess.run("sh", ["-c", script, scratch.path])
    try #require(outcome.status == 0, "\(script): \(outcome.error)")
  }

  private func pack(_ packer: Packer) throws { try run("rm -f \"$0/maps\"; \(packer.rawValue)") }

  /// Writes an archive by lines of Python; `a` is a tar archive, `z` a zip archive.
  private func python(_ lines: String, zip: Bool = false) throws {
    let begin = zip ? "z = zipfile.ZipFile(p, 'w')" : "a = tarfile.open(p, 'w', format=tarfile.PAX_FORMAT)"
    let script = """
      import io, sys, tarfile, zipfile
      p = sys.argv[1] + '/maps'
      def add(name, data=b'data', kind=tarfile.REGTYPE, link=''):
          m = tarfile.TarInfo(name); m.size = len(data) if kind == tarfile.REGTYPE else 0; m.type = kind; m.linkname = link
          a.addfile(m, io.BytesIO(data))
      \(begin)
      \(lines)
      \(zip ? "z" : "a").close()
      """
    let outcome = try ChildProcess.run("python3", ["-c", script, scratch.path])
    try #require(outcome.status == 0, "\(lines): \(outcome.error)")
  }

  /// Why the archive is refused; it leaves nothing behind.
  private func refusal() async throws -> PublisherError? {
    let error = await scratch.refusal(from: archive)
    #expect(try Directory(opening: scratch.repository).status(of: ".work") == nil)
    return error
  }

  private func flaw() async throws -> ArchiveFlaw? {
    guard case .input(.archive(archive, let flaw)) = try await refusal() else { return nil }
    return flaw
  }

  // MARK: - What is published

  @Test("an archive makes the same repository as its directory, byte for byte", arguments: Packer.allCases)
  func same(packer: Packer) async throws {
    let other = try TestRepository()
    for scratch in [scratch, other] {
      try scratch.write("europe/malta/base.gpkg", Maps.data(1, size: 9000))
      try scratch.write("europe/malta/search.sqlite", Maps.data(2, size: 2000))
      try scratch.write("europe/malta/map.xml", "<map><name>Malta</name></map>")
      try scratch.write("europe/map.xml", "<map><name>Europe</name></map>")
      // Composed and decomposed, which are two names.
      try scratch.write("europe/île/base.gpkg", Maps.data(4, size: 3000))
      try scratch.write("europe/i\u{302}le-sud/base.gpkg", Maps.data(5, size: 3000))
      try scratch.write("europe/\(String(repeating: "long", count: 20))/base.gpkg", Maps.data(7, size: 3000))
      try scratch.write("europe/holes/base.gpkg", [UInt8](repeating: 0, count: 300_000) + [1])
      try scratch.write("europe/packed/base.zip", Array("PK\u{3}\u{4}, an ordinary file".utf8))
      for name in ["README", "a b/notes.txt", ".git/config", "europe/.hidden", "europe/malta/search.bak"] {
        try scratch.write(name, "text")
      }
      let malta = try Directory(opening: "\(scratch.input)/europe/malta")
      try malta.makeSymbolicLink("poi.sqlite", to: "search.sqlite")
      try malta.link("search.sqlite", to: malta, as: "extra.sqlite")
      try Directory(opening: "\(scratch.input)/europe").makeSymbolicLink("other", to: "malta")
    }
    try run(
      "cd \"$0/input/europe/holes\" && rm base.gpkg && truncate -s 300000 base.gpkg && printf '\\1' >>base.gpkg"
    )
    try pack(packer)
    var ignored: [[String]] = []
    func note(_ event: ReleaseEvent, from path: String) {
      guard case .ignored(let files) = event else { return }
      ignored.append(files.map { "\($0.path.dropFirst(path.count)) \($0.reason.text)" })
    }
    try await other.release("1") { note($0, from: other.input) }
    try await scratch.release("1", from: archive) { note($0, from: archive) }
    #expect(ignored.count == 2 && ignored[0] == ignored[1] && ignored[0].count == 7)
    #expect(try scratch.tree() == other.tree())
  }

  @Test("a release from an archive leaves unchanged what a directory published")
  func unchanged() async throws {
    try Maps.write(to: scratch)
    try await scratch.release("1")
    try Maps.write(to: scratch) { Maps.changed($0) }
    try pack(.zstd)
    let report = try await scratch.release("2", from: archive)
    #expect(report.components.map(\.isUnchanged) == [false, false, true])
    #expect(report.components.filter { $0.patch != nil }.count == 2)
  }

  @Test("a zip archive of more than 4 GiB is read")
  func zip64() async throws {
    // What is hidden is passed over, and here it is a hole.
    try python(
      """
      i = zipfile.ZipInfo('.pad'); i.header_offset = 0; i.CRC = 1; i.file_size = i.compress_size = 5 << 30
      z.fp.write(i.FileHeader(zip64=True)); z.fp.seek(5 << 30, 1); z.start_dir = z.fp.tell(); z.filelist.append(i)
      z.writestr('a/base.x', 'data')
      """, zip: true)
    let report = try await scratch.release("1", from: archive)
    #expect(report.components.map(\.entry.name.path) == ["a/base.x"])
  }

  @Test("what an interrupted run unpacked is removed by the next one, however deep it is")
  func leftovers() async throws {
    try scratch.initialize()
    let deep = ".work/input/" + String(repeating: "d/", count: PublisherLimits.inputDepth)
    try scratch.write("\(deep)base.x", [1], in: "repository")
    try scratch.write("a/base.x", "data")
    try pack(.gnu)
    let report = try await scratch.release("1", from: archive)
    #expect(report.components.map(\.entry.name.path) == ["a/base.x"])
    #expect(try Directory(opening: scratch.repository).status(of: ".work") == nil)
  }

  // MARK: - What a directory is refused for

  @Test(
    "what a directory is refused for, an archive is refused for, in the same words",
    arguments: [
      ["europe/malta/b\\c.gpkg"], ["new\\maps/base.gpkg"], ["new maps/a.x", "new-maps/a.x"],
      ["1/2/3/4/5/6/7/8/9/base.x"],
      ["a/b\u{9b}31m/base.x"], ["a/b/ba\u{202e}se.x"], ["a/base.x", "a/map.xml"], ["README"], ["a/base.dat"],
      [String(repeating: "d/", count: 33) + "README"],
    ])
  func refused(names: [String]) async throws {
    for name in names { try scratch.write(name, "<map>") }
    let sentence = try #require(await scratch.refusal()).sentence
    for packer in [Packer.gnu, .pax, .zip] {
      try pack(packer)
      let other = try #require(try await refusal()).sentence
      #expect(
        other.replacing(archive, with: scratch.input) == sentence, "\(packer)")
    }
  }

  @Test("a name that is not UTF-8 is refused like that of a file")
  func notUTF8() async throws {
    try python("add('a/base.x'); add('a/\\udcff')")
    #expect(try await refusal() == .input(.nameNotUTF8(path: "\(archive)/a/\u{fffd}")))
  }

  // MARK: - What no directory can have

  @Test(
    "a name that leaves the archive is refused",
    arguments: [
      "../x", "/etc/x", "a/../../x", "a/..", ".git/../../x", "", String(repeating: "n", count: 256),
    ])
  func names(name: String) async throws {
    try python("add('a/base.x'); add('\(name)')")
    #expect(try await flaw() == .name(entry: name))
    // Python writes no zip archive without a name.
    guard !name.isEmpty else { return }
    try python("z.writestr('a/base.x', 'data'); z.writestr('\(name)', 'data')", zip: true)
    #expect(try await flaw() == .name(entry: name))
  }

  @Test("an archive whose top level is its directory is that directory, however the name is written")
  func top() async throws {
    try python("add('./', kind=tarfile.DIRTYPE); add('.//a/./base.x')")
    #expect(try await refusal() == nil)
  }

  @Test(
    "two entries of one name are refused, whatever they are",
    arguments: [
      "add('a/base.x')", "add('a/./base.x')", "add('a', b'')", "add('a/base.x/b')",
      "add('a/base.x', kind=tarfile.SYMTYPE, link='b')",
      "add('a/base.x', kind=tarfile.LNKTYPE, link='a/base.x')",
      "add('a/base.x', kind=tarfile.DIRTYPE)",
    ])
  func twice(line: String) async throws {
    try python("add('a/base.x')\n\(line)")
    guard case .twice = try await flaw() else {
      Issue.record("\(line): \(String(describing: try await flaw()))")
      return
    }
  }

  @Test("what a link leads to is neither read nor written")
  func links() async throws {
    try scratch.write("secret", [7], in: "outside")
    try python("add('a/base.x'); add('b', kind=tarfile.SYMTYPE, link='../../outside'); add('b/secret')")
    #expect(try await flaw() == .twice(entry: "b/secret"))
    for target in ["../../../outside/secret", "\(scratch.path)/outside/secret", "c/none", "a", ".h/x"] {
      try python("add('.h/x'); add('a/base.x'); add('a/poi.x', kind=tarfile.LNKTYPE, link='\(target)')")
      guard case .hardLink(entry: "a/poi.x", _)? = try await flaw() else {
        Issue.record("\(target): \(String(describing: await scratch.refusal(from: archive)))")
        continue
      }
    }
    #expect(try contents("\(scratch.path)/outside/secret") == [7])
  }

  @Test("an encrypted zip archive is refused")
  func encrypted() async throws {
    try scratch.write("a/base.x", "data")
    try run("cd \"$0/input\" && zip -qr -P secret ../maps.zip . && mv ../maps.zip \"$0/maps\"")
    #expect(try await flaw() == .encrypted(entry: "a/base.x"))
  }

  @Test("what is no archive is refused, and a directory of the name is not looked for")
  func unknown() async throws {
    for text in ["", "no archive\n", String(repeating: "no archive\n", count: 1000)] {
      try scratch.write("maps", Array(text.utf8), in: ".")
      #expect(try await flaw() == .unknownFormat)
    }
    #expect(await scratch.refusal(from: "/dev/null") == .input(.archive(path: "/dev/null", .unknownFormat)))
  }

  // MARK: - Damage

  @Test(
    "an archive that was cut off anywhere is refused",
    arguments: [Packer.gnu, .pax, .gzip, .xz, .zstd, .zip])
  func cut(packer: Packer) async throws {
    for name in ["a", "b", "c"] { try scratch.write("\(name)/base.x", Maps.data(1, size: 700)) }
    try pack(packer)
    let whole = try contents(archive)
    // A tar archive is whole at the first block of its end mark.
    let isTar = packer == .gnu || packer == .pax
    let end = isTar ? whole.lastIndex { $0 != 0 }.map { ($0 / 512 + 1) * 512 + 511 } : whole.count - 1
    let last = try #require(end)
    for size in Array(stride(from: isTar ? 256 : 1, to: last, by: isTar ? 256 : 97)) + [last] {
      try scratch.write("maps", Array(whole[..<size]), in: ".")
      let flaw = try await flaw()
      #expect(flaw != nil, "\(size) of \(whole.count)")
    }
  }

  @Test("bytes after the end of an archive are refused, zeros are not")
  func trailing() async throws {
    try scratch.write("a/base.x", "data")
    for packer in [Packer.gnu, .gzip, .xz, .zstd, .zip] {
      try pack(packer)
      let whole = try contents(archive)
      for tail in [Array("garbage".utf8), whole] where !(packer == .zip && tail == whole) {
        try scratch.write("maps", whole + tail, in: ".")
        guard case .damaged? = try await flaw() else {
          Issue.record("\(packer): \(String(describing: await scratch.refusal(from: archive)))")
          continue
        }
      }
    }
    for packer in [Packer.gnu, .gzip, .xz, .zip] {
      try pack(packer)
      let whole = try contents(archive)
      // The end record of a zip archive is searched for in less than that.
      for count in [4, 5000, 200_000] {
        let padded = whole + [UInt8](repeating: 0, count: count)
        try scratch.write("maps", padded, in: ".")
        #expect(try unpack(ArchiveUnpacker.Limits(size: 0)) == nil, "\(packer), \(count)")
        try scratch.write("maps", padded + [1], in: ".")
        guard case .damaged? = try await flaw() else {
          Issue.record("\(packer): \(count) zeros and one byte are accepted")
          continue
        }
      }
    }
  }

  @Test("a flipped bit in compressed data is refused", arguments: [Packer.gzip, .xz, .zstd, .zip])
  func flipped(packer: Packer) async throws {
    // It does not compress, so that most bits are those of the file itself.
    var generator = SeededGenerator(15)
    try scratch.write("a/base.x", (0..<3000).map { _ in UInt8.random(in: 0...255, using: &generator) })
    try pack(packer)
    let whole = try contents(archive)
    for index in stride(from: 600, to: 2800, by: 131) {
      var bytes = whole
      bytes[index] ^= 4
      try scratch.write("maps", bytes, in: ".")
      guard case .damaged? = try await flaw() else {
        Issue.record("\(index): \(String(describing: await scratch.refusal(from: archive)))")
        return
      }
    }
  }

  @Test("a size in a zip archive that is not true is refused")
  func lyingSize() async throws {
    for size in [0, 3, 2000] {
      try python(
        """
        z.writestr('a/base.x', bytes(1000), compress_type=zipfile.ZIP_DEFLATED)
        z.filelist[0].file_size = \(size)
        """, zip: true)
      guard case .damaged? = try await flaw() else {
        Issue.record("\(size): \(String(describing: await scratch.refusal(from: archive)))")
        continue
      }
    }
  }

  // MARK: - Limits

  private func unpack(_ limits: ArchiveUnpacker.Limits) throws -> PublisherError? {
    try Directory(opening: scratch.path).removeTree("unpacked")
    try Directory(opening: scratch.path).makeDirectory("unpacked")
    do throws(PublisherError) {
      let root = try onFile { () throws(Failure) in try Directory(opening: "\(scratch.path)/unpacked") }
      var unpacker = try ArchiveUnpacker(archive, into: root, limits: limits)
      try unpacker.run()
    } catch { return error }
    return nil
  }

  @Test("an archive has a limit of entries and of bytes, holes, padding and headers included")
  func limits() throws {
    var limits = ArchiveUnpacker.Limits(size: 0)
    #expect(limits.bytes == 1 << 30 && ArchiveUnpacker.Limits(size: 1 << 30).bytes == 128 << 30)
    #expect(ArchiveUnpacker.Limits(size: .max).bytes == .max)
    try scratch.write("a/base.x", [UInt8](repeating: 0, count: 100_000))
    for packer in [Packer.gnu, .sparse, .gzip, .xz, .zstd, .zip] {
      try pack(packer)
      limits.bytes = 120_000
      limits.entries = 3
      #expect(try unpack(limits) == nil, "\(packer)")
      limits.entries = 2
      #expect(
        try unpack(limits) == (packer == .zip ? nil : .input(.archive(path: archive, .tooManyEntries))),
        "\(packer)")
      (limits.entries, limits.bytes) = (3, 99_999)
      #expect(try unpack(limits) == .input(.archive(path: archive, .tooLarge(limit: 99_999))), "\(packer)")
    }
    // Zeros after the end mark.
    try run("tar -C \"$0/input\" -cf \"$0/t\" . && truncate -s 9M \"$0/t\" && xz <\"$0/t\" >\"$0/maps\"")
    limits.bytes = 1 << 20
    #expect(try unpack(limits) == .input(.archive(path: archive, .tooLarge(limit: 1 << 20))))
  }

  @Test("an archive of more than the free space is refused before that is written")
  func space() async throws {
    try python("m = tarfile.TarInfo('a/base.x'); m.size = 1 << 50; a.fileobj.write(m.tobuf(a.format))")
    var limits = ArchiveUnpacker.Limits(size: 0)
    limits.bytes = 1 << 60
    guard case .repository(.noSpace(_, needed: 1 << 50, _)) = try unpack(limits) else {
      Issue.record("\(String(describing: try unpack(limits)))")
      return
    }
    #expect(try await flaw() == .tooLarge(limit: 1 << 30))
  }

  @Test("the program takes an archive, and refuses a damaged one with code 21 and a sentence")
  func program() throws {
    guard let program = try Program() else { return }
    try scratch.initialize()
    try scratch.write("a/base.x", "data")
    try scratch.write("README", "text")
    try pack(.zstd)
    let arguments = ["release", scratch.repository, archive, "-l", "1"]
    let first = try program.run(arguments, in: scratch.path)
    #expect(first.status == 0 && first.error.contains("ignored: \(archive)/README ("), "\(first)")
    try scratch.write("maps", Array(contents(archive).dropLast(9)), in: ".")
    let second = try program.run(arguments.dropLast() + ["2"], in: scratch.path)
    #expect(
      second.status == 21 && second.error.contains("\(archive) is damaged or not complete"), "\(second)")
  }
}
