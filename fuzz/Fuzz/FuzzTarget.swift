import Archive
import ArchiveUnpacking
import Catalog
import CatalogWriting
import Codec
import Crypto
import DeltaApply
import DeltaCreate
import Glibc
import JSONReading
import MapModel
import MapTree
import PatchFormat
import Platform
import Releases
import Trust
import Updater
import Varlink

@testable import Store
@testable import Transport

/// The parsers of everything that comes from outside, one fuzz target each (`make fuzz`).
///
/// A target fails by a crash, a trap, a hang or too much memory; what it throws is its answer.
enum FuzzTarget: String, CaseIterable {
  case metadata, key, catalog, packedCatalog, map, component, patch, manifest, configuration, response
  case place, operation, known, groups, history, inflater, guide, streams, checkpoint, note, sealed, archive,
    packed, tree, varlink, route

  /// The one that the environment names.
  static let chosen = FuzzTarget(rawValue: String(cString: getenv("FUZZ_TARGET") ?? strdup(""))) ?? .metadata

  func run(_ bytes: [UInt8]) {
    do {
      switch self {
      case .metadata: try FuzzTarget.metadata(bytes)
      case .key:
        let text = String(decoding: bytes, as: UTF8.self)
        for scheme in [SignatureScheme.ed25519, .ecdsaP256, .rsaPSS] {
          do { _ = try PublicKey(scheme, text: text).verifies(bytes, of: bytes.span.bytes) } catch {}
        }
      case .catalog:
        var reader = try CatalogReader(BytesSource(bytes), path: "catalog", detail: .full)
        while try reader.next() != nil {}
      case .packedCatalog:
        var reader = try CatalogReader(FuzzTarget.file(bytes))
        while try reader.next() != nil {}
      case .map: _ = try MapFile(BytesSource(bytes), path: "map.xml")
      case .component: _ = try ComponentFile.read(FuzzTarget.file(bytes), detail: .full)
      case .patch:
        if bytes.starts(with: Array("TUP".utf8)) {
          try PatchTarget.bare(bytes)
        } else {
          try PatchTarget.crafted(bytes)
        }
      case .checkpoint: try PatchTarget.checkpoint(bytes)
      case .manifest:
        try FuzzTarget.write(bytes, "manifest")
        var reader = try ManifestReader(Directory(opening: FuzzTarget.folder))
        while try reader.next() != nil {}
      case .configuration:
        try FuzzTarget.write(bytes, "tinyupdater.conf")
        _ = try Configuration.read("\(FuzzTarget.folder)/tinyupdater.conf")
      case .response:
        var head = ResponseHead()
        for line in bytes.split(separator: 10) { head.take(String(decoding: line, as: UTF8.self)) }
      case .place:
        guard let latitude = Degrees("35.9"), let longitude = Degrees("14.4"),
          let point = Point(latitude: latitude, longitude: longitude)
        else { return }
        var reader = try CatalogReader(BytesSource(bytes), path: "catalog", detail: .covering(point))
        while let entry = try reader.next() { _ = entry.description.geography.area(around: point) }
        let corridor = Corridor(around: point, metres: 3_000_000)
        var other = try CatalogReader(BytesSource(bytes), path: "catalog", detail: .near(corridor))
        while let entry = try other.next() { _ = entry.description.geography.isNear(corridor) }
        var third = try CatalogReader(BytesSource(bytes), path: "catalog", detail: .corners)
        while let entry = try third.next() {
          guard let corners = entry.description.geography.corners else { continue }
          for index in 0..<corners.ringCount { precondition(!corners.ring(index).isEmpty) }
        }
      case .route:
        try FuzzTarget.write(bytes, "route")
        let track = try RouteFile.track("\(FuzzTarget.folder)/route", for: 10_000)
        _ = Corridor(along: track, metres: 10_000)
      case .operation: try FuzzTarget.operation(bytes)
      case .known:
        let cache = try LockedCatalogCache(CatalogCache(making: FuzzTarget.folder))
        try FuzzTarget.write(bytes, "catalogs/newest")
        if let known = try cache.reading.known() { try cache.remember(known) }
      case .groups:
        let store = try LockedStore(opening: FuzzTarget.folder)
        try FuzzTarget.write(bytes, "groups")
        _ = try store.reading.dataGroups()
      case .history:
        let store = try LockedStore(opening: FuzzTarget.folder)
        try FuzzTarget.write(bytes, "history")
        try History(opening: store.reading.path).forEachEntry { _ in }
      case .note: try FuzzTarget.note(bytes)
      case .sealed: try FuzzTarget.sealed(bytes)
      case .varlink: FuzzTarget.varlink(bytes)
      case .archive: try FuzzTarget.archive(bytes)
      case .packed: try FuzzTarget.packed(bytes)
      case .tree: try FuzzTarget.tree(bytes)
      case .inflater: try DeflateTargets.inflater(bytes)
      case .guide: try DeflateTargets.guide(bytes)
      case .streams: try DeflateTargets.streams(bytes)
      }
    } catch {}
  }

  private static func metadata(_ bytes: [UInt8]) throws {
    let canonical = try JSONValue(parsing: bytes).canonical
    precondition(canonical.count <= bytes.count, "the canonical form is never longer")
    do { _ = try TrustClient.root(bytes, file: "root.json") } catch {}
    do { _ = try Timestamp(Envelope(bytes, file: "timestamp.json")) } catch {}
    do { _ = try Snapshot(Envelope(bytes, file: "snapshot.json")).file(Name("targets")) } catch {}
    do {
      try Targets(Envelope(bytes, file: "targets.json")).forEachTarget {
        target, custom in
        _ = ServedRelease(target, custom: custom)
      }
    } catch {}
  }

  /// Every file of the queue, one after the other.
  private static func operation(_ bytes: [UInt8]) throws {
    let queue = try OperationQueue(making: folder)
    for name in ["7", "7.cancel", "7.done", "active"] { try write(bytes, "queue/\(name)") }
    for queued in try queue.operations() {
      precondition(
        Operation(queued.operation.text) == queued.operation, "what is read can be written")
    }
    _ = try (queue.cancellation(of: 7), queue.result(7))
    let worker = try queue.beginWork()
    _ = try queue.active()
    _ = consume worker
  }

  /// A checkpoint: as it is, and with a correct checksum.
  private static func note(_ bytes: [UInt8]) throws {
    let store = try LockedStore(opening: folder)
    let name = "staging/\(Digest().hex).restart"
    for slot in [
      bytes, try Hasher.digest(of: bytes.span.bytes).bytes.span.withUnsafeBytes { Array($0) } + bytes,
    ] {
      try write(slot, name)
      guard let note = try store.reading.staging.checkpoint(Digest()) else { continue }
      _ = Checkpoint(parsing: note.span.bytes.extracting(min(note.count, Digest.size)...))
    }
  }

  /// What a client of the service sends: messages, each ended by a NUL.
  private static func varlink(_ bytes: [UInt8]) {
    var inbox = VarlinkInbox()
    var rest = bytes[...]
    while !rest.isEmpty && inbox.room > 0 {
      let part = rest.prefix(min(inbox.room, 1000))
      inbox.fill { $0 += part }
      rest = rest.dropFirst(part.count)
      while let message = inbox.next() {
        // What a client makes of it, and says of it as JSON, is read as the same again.
        if let text = VarlinkAnswer(message)?.parameters?.jsonText, text.utf8.count < JSONLimits.document / 16
        {
          do {
            let again = try JSONValue(message: Array("[\(text)]".utf8)).element(0)?.jsonText
            precondition(again == text, "\(text) became \(again ?? "nothing")")
          } catch { preconditionFailure("\(text): \(error)") }
        }
        guard let call = VarlinkCall(message) else { continue }
        let service = VarlinkService(vendor: "", product: "", version: "", url: "", interfaces: [])
        precondition(service.reply(to: call).bytes.last == 0)
      }
    }
  }

  /// What `verify` and trials leave, with a correct checksum: what is read can be written.
  private static func sealed(_ bytes: [UInt8]) throws {
    let store = try LockedStore(opening: folder)
    let files = try VerificationFiles(opening: folder)
    let lines = String(decoding: bytes, as: UTF8.self) + "\n"
    for name in ["damage", "verification", "trial"] {
      try write(SealedText.seal("tinyupdater-\(name) 1\n" + lines), name)
    }
    let damage = try files.damage()
    precondition(DamageNote(lines: words(damage.text)) == damage)
    if let record = try files.record() {
      precondition(VerificationRecord(lines: words(record.text)) == record)
    }
    let record = store.reading.trialRecord()
    let again = try TrialRecord(record.bytes())
    precondition(again == record)
  }

  /// A bundle: every file that the index finds has the name that it was found by, and ends where it says.
  private static func archive(_ bytes: [UInt8]) throws {
    var reader = try ArchiveReader(file(bytes))
    let index = try ArchiveIndex(&reader)
    var other = try ArchiveReader(file(bytes))
    while let entry = try other.next() {
      precondition(!entry.name.hasPrefix("/") && !"/\(entry.name)/".contains("/../"))
      let offset = try index.offset(of: entry.name)
      precondition(offset == entry.offset, "\(entry.name) is at \(entry.offset)")
      try reader.seek(to: entry.offset)
      guard let found = try reader.next() else { preconditionFailure("\(entry.name) is not found again") }
      precondition(found == entry)
      var size: UInt64 = 0
      var buffer = Buffer(count: 1 << 10)
      while true {
        var space = buffer.mutableBytes
        let count = try reader.read(into: &space)
        if count == 0 { break }
        size += UInt64(count)
      }
      precondition(size == entry.size)
    }
  }

  /// Maps in an archive: a file never has more bytes than it says, and all of them end below the limit.
  private static func packed(_ bytes: [UInt8]) throws {
    let limit: UInt64 = 1 << 20
    var archive = try PackedArchive(file(bytes), limit: limit)
    var total: UInt64 = 0
    var buffer = Buffer(count: 1 << 10)
    while let entry = try archive.next(), total < limit {
      guard case .file(let size) = entry.kind else { continue }
      while true {
        var space = buffer.mutableBytes
        let count = try archive.read(into: &space)
        total += UInt64(count)
        if count == 0 || total > min(limit, size) { break }
      }
    }
  }

  /// Writes a component of many files, and reads it back.
  private static func tree(_ bytes: [UInt8]) throws {
    let store = try LockedStore(opening: folder)
    let digest = Digest()
    try store.staging.removePart(digest)
    let size = UInt64(bytes.count)
    let writer = try store.staging.openTree(digest, size: size, completed: 0, base: nil)
    let middle = bytes.count / 2
    try writer.write(bytes.span.bytes.extracting(0..<middle), at: 0)
    try writer.write(bytes.span.bytes.extracting(middle...), at: UInt64(middle))
    var back = [UInt8](repeating: 0, count: bytes.count)
    var span = back.mutableSpan
    var space = span.mutableBytes
    let count = try writer.read(into: &space, at: 0)
    precondition(count == bytes.count && back == bytes, "what was written is read")
  }

  /// The lines after the first, as they are read.
  private static func words(_ text: String) -> [[String]] {
    text.split(separator: "\n").dropFirst().map { $0.split(separator: " ").map(String.init) }
  }

  // MARK: - Parsers that want a file

  private static let folder = String(cString: getenv("FUZZ_FOLDER") ?? strdup("."))

  private static func write(_ bytes: [UInt8], _ name: String) throws {
    let file = try Directory(opening: folder).open(name, to: .replace)
    try file.write(bytes.span.bytes)
    try file.close()
  }

  private static func file(_ bytes: [UInt8]) throws -> File {
    try write(bytes, "input")
    return try File(opening: "\(folder)/input")
  }
}

/// Bytes in memory.
private struct BytesSource: ByteSource {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func read(into buffer: inout MutableRawSpan) throws(CatalogError) -> Int {
    let count = min(buffer.byteCount, bytes.count - position)
    for index in 0..<count {
      buffer.storeBytes(of: bytes[position + index], toByteOffset: index, as: UInt8.self)
    }
    position += count
    return count
  }
}
