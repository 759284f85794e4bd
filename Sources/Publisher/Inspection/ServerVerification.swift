internal import Catalog
internal import Crypto
internal import DeltaApply
internal import Platform
internal import Releases
internal import Transport
internal import TransportProbing
internal import Trust

extension Verification {
  /// The text is the URL of a server, not the path of a directory.
  package static func isURL(_ text: String) -> Bool {
    text.hasPrefix("https://") || text.hasPrefix("http://")
  }

  /// Verifies the files of a server as a device would that trusts the root in `options`.
  ///
  /// With `.sizes`, it requests the last byte of each component and payload; with `.contents`, all bytes.
  /// Throws only if it cannot verify at all; findings are in `problems`.
  package init(
    server url: String, options: Options, shouldStop: @escaping () -> Bool,
    observe: @escaping (VerificationEvent) -> Void = { _ in }
  ) throws(PublisherError) {
    guard let path = options.root else { throw .inspection(.noRoot(url: url)) }
    let root = try onFile { () throws(Failure) in try File(opening: path).bytes(upTo: TrustLimits.root) }
    self.init()
    let access = options.access
    for case .some(let file) in [access.certificateAuthorities, access.clientCertificate, access.clientKey] {
      _ = try onFile { () throws(Failure) in try File(opening: file).size() }
    }
    var server: ServerVerification
    do throws(Failure) {
      server = try ServerVerification(url, options, shouldStop: shouldStop, observe: observe)
    } catch { throw .inspection(.server(error.sentence)) }
    let folder = try TemporaryFolder()
    let found = try server.walk(root: root, folder: folder, now: options.now)
    files = server.files
    let live = Pruning.live(found)
    for release in found {
      var row = Row(release: release)
      for catalog in release.catalogs {
        let isLive = catalog.recall == nil && live.contains(release)
        row.add(try server.check(catalog, isLive: isLive, folder: folder))
      }
      releases.append(row)
      observe(.verified(row))
    }
    problems = server.problems
    warnings = server.warnings
  }
}

/// Compares the files of a server with its own metadata and catalogs.
struct ServerVerification: ~Copyable {
  private let base: String
  private let depth: Verification.Depth
  private let observe: (VerificationEvent) -> Void
  private var client: Client
  private var probe: Probe
  /// URLs of the files that were already compared.
  private var seen: Set<String> = []
  private var withoutRanges = Finding()
  private var encoded = Finding()
  private var lifetime: UInt64 = 0
  private(set) var files: [SignedFile] = []
  private var sentences: [String] = []

  /// A problem of one file, and the number of others that have it.
  private struct Finding {
    var first = ""
    var others = 0

    mutating func add(_ text: String) {
      if first.isEmpty { first = text } else { others += 1 }
    }
    var text: String { others == 0 ? first : "\(first) and \(others) other file\(others == 1 ? "" : "s")" }
  }

  private static var connections: Int { 8 }
  /// Seconds for which caches may keep the timestamp.
  private static var longestLifetime: UInt64 { 3600 }

  init(
    _ url: String, _ options: Verification.Options, shouldStop: @escaping () -> Bool,
    observe: @escaping (VerificationEvent) -> Void
  ) throws(Failure) {
    var settings = TransportSettings()
    settings.retries = 2
    settings.userAgent = "tinypublish/\(productVersion)"
    settings.certificateAuthorities = options.access.certificateAuthorities
    settings.clientCertificate = options.access.clientCertificate
    settings.clientKey = options.access.clientKey
    let client = try Client(settings, shouldStop: shouldStop)
    let probe = try Probe(settings, connections: ServerVerification.connections, shouldStop: shouldStop)
    self.client = client
    self.probe = probe
    base = PathParts.withoutTrailingSlash(url)
    depth = options.depth
    self.observe = observe
  }

  /// One sentence for each problem.
  var problems: [String] {
    guard !encoded.first.isEmpty else { return sentences }
    return sentences + [
      "\(encoded.text): the server compresses its answers, so devices get other bytes. Switch that off."
    ]
  }

  var warnings: [String] {
    var warnings: [String] = []
    if lifetime > ServerVerification.longestLifetime {
      warnings.append(
        """
        \(base)/\(ServedMetadata.timestampPath): caches may keep it for \(lifetime) seconds, and devices learn of \
        releases that much later. Serve it with "Cache-Control: no-cache".
        """)
    }
    if !withoutRanges.first.isEmpty {
      warnings.append(
        """
        \(withoutRanges.text): the server does not send parts of files, so downloads that were interrupted begin again. \
        Have it answer Range requests.
        """)
    }
    return warnings
  }

  // MARK: - Metadata

  /// Every step of `TrustClient`, from the first root to the newest targets.
  mutating func walk(
    root: [UInt8], folder: borrowing TemporaryFolder, now: Int64
  ) throws(PublisherError) -> [ServedRelease] {
    var failure: Failure?
    var served: [Root.TopLevel: SignedFile] = [:]
    func keep(_ bytes: [UInt8], _ name: String) {
      // What is not metadata at all is a finding of the walk itself.
      do throws(TrustError) {
        let file = try SignedFile(parsing: bytes, file: name)
        served[file.role] = file
      } catch {}
    }
    keep(root, "root")
    var found: [ServedRelease] = []
    do throws(TrustError) {
      found = try Verification.releases(root: root, stored: try folder.metadata(), now: now) {
        (name, limit) in
        let url = "\(base)/\(ServedMetadata.folder)/\(name)"
        var (sink, observer) = (MemorySink(), SilentObserver())
        do throws(Failure) {
          try client.fetch(Request(url, limit: limit), into: &sink, observer: &observer)
          keep(sink.bytes, name)
          return .file(sink.bytes)
        } catch {
          failure = error
          return error.isAbsentOnServer ? .absent : .failed
        }
      }
    } catch {
      if failure == .cancelled { throw .stopped }
      if case .file(let error) = error { throw .file(error) }
      switch error {
      case .notFetched, .missing: if let failure { note(failure) }
      default: break
      }
      sentences.append("\(base): \(error.sentence)")
    }
    files = Root.TopLevel.allCases.compactMap { served[$0] }
    guard let timestamp = served[.timestamp] else { return found }
    let question = Probe.Question(
      "\(base)/\(ServedMetadata.timestampPath)", size: UInt64(timestamp.bytes.count))
    for answer in try ask([question]) {
      lifetime = answer.lifetime ?? 0
      if answer.encoding != nil { encoded.add(question.url) }
    }
    return found
  }

  // MARK: - Content

  private enum Content {
    case component(CatalogEntry)
    case payload(Container)

    var url: String {
      switch self {
      case .component(let entry): entry.url
      case .payload(let payload): payload.url
      }
    }
    var size: UInt64 {
      switch self {
      case .component(let entry): entry.size
      case .payload(let payload): payload.size
      }
    }
  }

  /// Checks the catalog, components and payloads of one release.
  ///
  /// - `isLive`: the release is the newest one for some device. Patches to others may have been removed (`Pruning`).
  mutating func check(
    _ release: ServedRelease, isLive: Bool, folder: borrowing TemporaryFolder
  ) throws(PublisherError) -> Verification.Row {
    var row = Verification.Row(release: release)
    let before = problems.count
    guard let catalog = try catalog(of: release, folder: folder) else {
      row.problems = problems.count - before
      return row
    }
    var contents: [(content: Content, mayBeAbsent: Bool)] = []
    for entry in catalog.entries {
      row.components += 1
      contents.append((.component(entry), false))
      for payload in entry.containers {
        row.payloads += 1
        contents.append((.payload(payload), !isLive && payload != entry.packed))
      }
    }
    contents = contents.filter { seen.insert($0.content.url).inserted }
    let answers = try ask(contents.map { Probe.Question("\(base)/\($0.content.url)", size: $0.content.size) })
    var meter = VerificationMeter(release, sizes: contents.map { $0.content.size }, observe: observe)
    for ((content, mayBeAbsent), answer) in zip(contents, answers) {
      if mayBeAbsent, answer.isAbsence {
        row.payloads -= 1
      } else if accept(answer, for: content), depth == .contents {
        try read(content, folder: folder)
      }
      meter.pass(content.url, size: content.size)
    }
    row.problems = problems.count - before
    return row
  }

  private mutating func ask(_ questions: [Probe.Question]) throws(PublisherError) -> [ProbeAnswer] {
    do throws(Failure) { return try probe.ask(questions) } catch {
      throw error == .cancelled ? .stopped : .inspection(.server(error.failedRequest ?? error.sentence))
    }
  }

  /// Notes the problem with an answer; true if the file is there with its size.
  private mutating func accept(_ answer: ProbeAnswer, for content: Content) -> Bool {
    let url = "\(base)/\(content.url)"
    if let failure = answer.failure {
      sentences.append("\(url): \(failure).")
    } else if answer.isAbsence {
      sentences.append("\(url) is missing: the server answered \(answer.status).")
    } else if ![200, 206, 416].contains(answer.status) {
      sentences.append("\(url): the server answered \(answer.status).")
    } else if answer.encoding != nil {
      encoded.add(url)
    } else if let size = answer.size, size != content.size {
      sentences.append("\(url) has \(size) bytes, but its catalog says \(content.size).")
    } else if answer.status == 416, content.size > 0 {
      sentences.append("\(url) is shorter than the \(content.size) bytes that its catalog says.")
    } else {
      // An empty file has no parts.
      if !answer.servesRanges, content.size > 0 { withoutRanges.add(url) }
      return true
    }
    return false
  }

  private func hashing<Result: ~Copyable>(
    _ url: String, _ body: () throws(HasherError) -> Result
  ) throws(PublisherError) -> Result {
    do throws(HasherError) { return try body() } catch { throw .library(.hashing(path: url)) }
  }

  /// Downloads and reads a file, and compares it with its digest.
  private mutating func read(
    _ content: Content, folder: borrowing TemporaryFolder
  ) throws(PublisherError) {
    let url = "\(base)/\(content.url)"
    switch content {
    case .component(let entry):
      var sink = try hashing(url) { () throws(HasherError) in try DigestSink() }
      guard try fetch(url, size: entry.size, into: &sink) else { return }
      let digest = try hashing(url) { () throws(HasherError) in try sink.finish() }
      if digest != entry.digest { sentences.append("\(url) does not match the digest in its name.") }
    case .payload(let payload):
      guard try download(url, size: payload.size, as: "payload", in: folder) else { return }
      do throws(PublisherError) {
        if try PatchInspection(of: "\(folder.path)/payload").headDigest == payload.head { return }
        sentences.append("\(url) is not the payload that its catalog lists.")
      } catch {
        guard case .inspection(.damagedPatch(_, let error)) = error else { throw error }
        sentences.append("\(url) \(error.sentence). Copy it to the server again.")
      }
    }
  }

  /// Downloads the catalog of a release and its parts; nil if one of them is not there or not right.
  private mutating func catalog(
    of release: ServedRelease, folder: borrowing TemporaryFolder
  ) throws(PublisherError) -> CatalogIndex? {
    var isThere = true
    var last = ""
    do throws(PublisherError) {
      let catalog = try CatalogIndex(release) { (url, size) throws(PublisherError) in
        last = "\(base)/\(url)"
        // Those around a part are still being read.
        let name = PathParts(of: url).name
        isThere = try download(last, size: size, as: name, in: folder)
        return "\(folder.path)/\(name)"
      }
      sentences += try catalog.flaws(of: release, at: base) { (url, _) in
        last = "\(base)/\(url)"
        return "\(folder.path)/\(PathParts(of: url).name)"
      }
      return catalog
    } catch {
      if error == .stopped { throw error }
      if !isThere { return nil }
      if case .repository(.wrongDigest) = error {
        sentences.append("\(last) does not match the digest in its name.")
      } else {
        sentences.append("\(last): \(error.sentence)")
      }
      return nil
    }
  }

  private mutating func download(
    _ url: String, size: UInt64, as name: String, in folder: borrowing TemporaryFolder
  ) throws(PublisherError) -> Bool {
    var sink = try onFile { () throws(Failure) in try FileSink(try folder.file(name)) }
    let isThere = try fetch(url, size: size, into: &sink)
    do throws(Failure) { try sink.close() } catch { throw .file(error) }
    return isThere
  }

  /// False if it could not be fetched, which is noted.
  private mutating func fetch<Sink: ByteSink & ~Copyable>(
    _ url: String, size: UInt64, into sink: inout Sink
  ) throws(PublisherError) -> Bool {
    var observer = SilentObserver()
    do throws(Failure) {
      try client.fetch(Request(url, size: size), into: &sink, observer: &observer)
      return true
    } catch {
      switch error {
      case .cancelled: throw .stopped
      case .file: throw .file(error)
      default: note(error)
      }
      return false
    }
  }

  private mutating func note(_ error: Failure) {
    switch error {
    case .wrongSize(let url, let expected, let found), .incomplete(let url, let expected, let found):
      sentences.append("\(url) has \(found) bytes, but \(expected) were expected.")
    default: sentences.append((error.failedRequest ?? error.sentence) + ".")
    }
  }
}
