internal import Crypto
internal import Platform
internal import Store
internal import Transport
package import Trust

/// A client for any TUF repository, without releases and without a store: `tinyupdater tuf`.
package struct BareClient: ~Copyable {
  private let base: String
  private var trust: TrustClient
  private var client: Client
  private var observer = SilentObserver()

  /// Makes `root`, a file, the root that is trusted in the metadata directory.
  package static func initialize(_ directory: String, root path: String) throws(UpdateError) {
    let bytes = try onFile { () throws(FileError) in
      try File(opening: path).bytes(upTo: Trust.Limits.root + 1)
    }
    try trusting { () throws(TrustError) in
      guard UInt64(bytes.count) <= Trust.Limits.root else { throw .mismatched(file: path) }
      _ = try TrustClient.root(bytes, file: path)
    }
    let metadata = try openMetadata(directory)
    try trusting { () throws(TrustError) in try metadata.write(Name("root"), bytes) }
  }

  /// `url`: of the directory with the metadata; `now`: in seconds since 1970.
  package init(_ url: String, directory: String, now: Int64) throws(UpdateError) {
    let metadata = try BareClient.openMetadata(directory)
    let trust: TrustClient
    do throws(TrustError) { trust = try TrustClient(metadata, provisioned: nil, now: now) } catch {
      throw UpdateError(error, below: "")
    }
    var settings = TransportSettings()
    settings.retries = 2
    client = try transporting { () throws(TransportError) in
      try Client(settings, shouldStop: { StopSignal.isRaised })
    }
    base = BareClient.withSlash(url)
    self.trust = trust
  }

  /// Learns the newest metadata of all top-level roles.
  package mutating func refresh() throws(UpdateError) -> Snapshot {
    try BareClient.refresh(&trust, &client, base, &observer)
  }

  /// Brings the target `path` to `directory`, unless it is there already; its name there is returned.
  package mutating func download(
    _ path: Name, _ snapshot: Snapshot, from url: String, to directory: String
  ) throws(UpdateError) -> String {
    let target = try BareClient.target(path, snapshot, trust, &client, base, &observer)
    let folder = try onFile { () throws(FileError) in try Directory(making: directory) }
    let name = try BareClient.fileName(path)
    if try BareClient.isRight(name, target, in: folder) { return name }
    let location = target.location(hasConsistentSnapshots: trust.root.hasConsistentSnapshots)
    do throws(UpdateError) {
      try fetch(
        BareClient.withSlash(url) + BareClient.escaped(location), target, to: name + ".part", in: folder)
    } catch {
      do throws(FileError) { try folder.remove(name + ".part") } catch {}
      throw error
    }
    try onFile { () throws(FileError) in
      try folder.rename(name + ".part", to: name)
      try folder.synchronize()
    }
    return name
  }

  private mutating func fetch(
    _ url: String, _ target: TargetFile, to name: String, in folder: borrowing Directory
  ) throws(UpdateError) {
    var sink = try onFile { () throws(FileError) in try FileSink(folder.open(name, .replace)) }
    do throws(TransportError) {
      try client.fetch(Request(url, size: target.length), into: &sink, observer: &observer)
    } catch { throw UpdateError(error) }
    do throws(FileError) { try sink.synchronize() } catch { throw UpdateError(error) }
    guard try BareClient.isRight(name, target, in: folder) else { throw .wrongDigest(url: url) }
  }

  // MARK: - Parts of `self` one by one: the compiler keeps them apart only as arguments

  private static func refresh(
    _ trust: inout TrustClient, _ client: inout Client, _ base: String, _ observer: inout SilentObserver
  ) throws(UpdateError) -> Snapshot {
    try client.fetchingMetadata(below: base, &observer) { (fetch) throws(TrustError) in
      let snapshot = try trust.refresh(fetch)
      _ = try trust.targets(snapshot, fetch)
      return snapshot
    }
  }

  private static func target(
    _ path: Name, _ snapshot: Snapshot, _ trust: borrowing TrustClient, _ client: inout Client,
    _ base: String, _ observer: inout SilentObserver
  ) throws(UpdateError) -> TargetFile {
    try client.fetchingMetadata(below: base, &observer) { (fetch) throws(TrustError) in
      try trust.target(path, snapshot, fetch)
    }
  }

  // MARK: - Names and files

  private static func openMetadata(_ path: String) throws(UpdateError) -> MetadataDirectory {
    let directory = try onFile { () throws(FileError) in try Directory(making: path) }
    do throws(TrustError) {
      return try MetadataDirectory(directory, shouldStop: { StopSignal.isRaised })
    } catch {
      throw UpdateError(error, below: "")
    }
  }

  private static func withSlash(_ url: String) -> String {
    url.utf8.last == UInt8(ascii: "/") ? url : url + "/"
  }

  /// One file name for each path, whatever is in it: percent-encoded, or `=` and the path's SHA-256 where that
  /// would be longer than file systems allow; no encoded name begins so.
  private static func fileName(_ path: Name) throws(UpdateError) -> String {
    let encoded = path.percentEncoded
    if encoded.utf8.allSatisfy({ $0 == UInt8(ascii: ".") }) { return "%2E" + encoded.dropFirst() }
    if encoded.utf8.count <= 200 { return encoded }
    return try "=" + hashing { () throws(HasherError) in try Hasher.digest(of: path.bytes.span.bytes).hex }
  }

  /// The bytes that would end or break a URL, percent-encoded; what is encoded already stays as it is.
  private static func escaped(_ location: String) -> String {
    var bytes: [UInt8] = []
    for byte in location.utf8 {
      if byte <= 0x20 || byte >= 0x7f || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") {
        bytes += Name(bytes: [byte]).percentEncoded.utf8
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The file is there, with the length and every digest that are listed.
  private static func isRight(
    _ name: String, _ target: TargetFile, in folder: borrowing Directory
  ) throws(UpdateError) -> Bool {
    let status = try onFile { () throws(FileError) in try folder.status(of: name) }
    guard let status, status.kind == .file, status.size == target.length, !target.hashes.isEmpty else {
      return false
    }
    for hash in target.hashes {
      let file = try onFile { () throws(FileError) in try folder.open(name) }
      let found = try FileHash.of(file, hash.algorithm)
      guard Name(Hex.text(found)) == Name(hash.hex) else { return false }
    }
    return true
  }
}

/// Nobody watches.
struct SilentObserver: TransportObserver {
  mutating func received(_ count: UInt64) {}
  mutating func lostConnection(url: String, cause: String, attempt: Int, pause milliseconds: UInt64) {}
  mutating func foundConnection() {}
}
