internal import Crypto
import JSONReading
internal import Platform
internal import Store
internal import Transport
internal import Trust
internal import TrustDelegation
internal import Updater

/// A client for any TUF repository, without releases and without a store.
struct BareClient: ~Copyable {
  private let base: String
  private var trust: TrustClient
  private var client: Client
  private var observer = SilentObserver()

  /// Trusts the root metadata in the file `root`: stores it in the metadata directory.
  static func initialize(_ directory: String, root path: String) throws(Failure) {
    let bytes = try File(opening: path).bytes(upTo: TrustLimits.root + 1)
    guard UInt64(bytes.count) <= TrustLimits.root else {
      throw Failure(TrustError.mismatched(file: path), below: "")
    }
    _ = try wrap(trust: TrustClient.root(bytes, file: path))
    let metadata = try openMetadata(directory)
    try wrap(trust: metadata.write(Name("root"), bytes: bytes))
  }

  /// - `url`: the directory of the repository's metadata.
  /// - `now`: seconds since 1970.
  init(_ url: String, directory: String, now: Int64) throws(Failure) {
    let metadata = try BareClient.openMetadata(directory)
    let trust: TrustClient
    do throws(TrustError) { trust = try TrustClient(metadata, provisioned: nil, now: now) } catch {
      throw Failure(error, below: "")
    }
    var settings = TransportSettings()
    settings.retries = 2
    client = try Client(settings, shouldStop: { StopSignal.isRaised })
    base = BareClient.withSlash(url)
    self.trust = trust
  }

  /// Fetches the newest metadata of all top-level roles.
  mutating func refresh() throws(Failure) -> Snapshot {
    try BareClient.refresh(&trust, with: &client, from: base, observer: &observer)
  }

  /// Downloads the target `path` to `directory`, unless it is there already, and returns the name of its file.
  mutating func download(
    _ path: Name, in snapshot: Snapshot, from url: String, to directory: String
  ) throws(Failure) -> String {
    let target = try BareClient.target(
      path, in: snapshot, trustedBy: trust, with: &client, from: base, observer: &observer)
    let folder = try Directory(making: directory)
    let name = try BareClient.fileName(path)
    if try BareClient.isRight(name, as: target, in: folder) { return name }
    let location = target.location(hasConsistentSnapshots: trust.root.hasConsistentSnapshots)
    do throws(Failure) {
      try fetch(
        BareClient.withSlash(url) + BareClient.escaped(location), as: target, to: name + ".part", in: folder)
    } catch {
      do throws(Failure) { try folder.remove(name + ".part") } catch {}
      throw error
    }
    try folder.rename(name + ".part", to: name)
    try folder.synchronize()
    return name
  }

  private mutating func fetch(
    _ url: String, as target: TargetFile, to name: String, in folder: borrowing Directory
  ) throws(Failure) {
    var sink = try FileSink(folder.open(name, to: .replace))
    try client.fetch(Request(url, size: target.length), into: &sink, observer: &observer)
    try sink.synchronize()
    guard try BareClient.isRight(name, as: target, in: folder) else { throw .wrongDigest(url: url) }
  }

  // MARK: - Parts of `self` as arguments, because the compiler checks exclusive access only there

  private static func refresh(
    _ trust: inout TrustClient, with client: inout Client, from base: String, observer: inout SilentObserver
  ) throws(Failure) -> Snapshot {
    try client.fetchingMetadata(below: base, observer: &observer) { (fetch) throws(TrustError) in
      let snapshot = try trust.refresh(fetch)
      try trust.targets(snapshot, fetch: fetch).checkDelegations()
      return snapshot
    }
  }

  private static func target(
    _ path: Name, in snapshot: Snapshot, trustedBy trust: borrowing TrustClient, with client: inout Client,
    from base: String, observer: inout SilentObserver
  ) throws(Failure) -> TargetFile {
    try client.fetchingMetadata(below: base, observer: &observer) { (fetch) throws(TrustError) in
      guard let target = try trust.target(path, in: snapshot, fetch: fetch) else {
        throw .unlisted(file: path.text)
      }
      return target
    }
  }

  // MARK: - Names and files

  private static func openMetadata(_ path: String) throws(Failure) -> MetadataDirectory {
    let directory = try Directory(making: path)
    do throws(TrustError) {
      return try MetadataDirectory(directory, shouldStop: { StopSignal.isRaised })
    } catch {
      throw Failure(error, below: "")
    }
  }

  private static func withSlash(_ url: String) -> String {
    url.utf8.last == UInt8(ascii: "/") ? url : url + "/"
  }

  /// The file name of a path: percent-encoded, or `=` and the path's SHA-256 where that would be too long.
  ///
  /// The names are unique, because no encoded name begins with `=`.
  private static func fileName(_ path: Name) throws(Failure) -> String {
    let encoded = path.percentEncoded
    if encoded.utf8.allSatisfy({ $0 == UInt8(ascii: ".") }) { return "%2E" + encoded.dropFirst() }
    if encoded.utf8.count <= 200 { return encoded }
    do throws(HasherError) {
      return "=" + (try Hasher.digest(of: path.bytes.span.bytes)).hex
    } catch { throw .noMemory }
  }

  /// Percent-encodes the bytes that would end or break a URL; what is encoded already stays as it is.
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

  /// Whether the file exists with the listed length and every listed digest.
  private static func isRight(
    _ name: String, as target: TargetFile, in folder: borrowing Directory
  ) throws(Failure) -> Bool {
    let status = try folder.status(of: name)
    guard let status, status.kind == .file, status.size == target.length, !target.hashes.isEmpty else {
      return false
    }
    let bytes = try folder.open(name).bytes(upTo: target.length)
    return target.hashes.allSatisfy { $0.matches(bytes) }
  }
}
