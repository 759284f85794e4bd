internal import JSONReading

/// What was trusted last, to be passed on.
extension TrustClient {
  /// The stored metadata with the names that it has in a repository, the roots first and the timestamp last.
  ///
  /// It is verified again; whether it is expired is for whoever reads it to judge.
  ///
  /// - `provisioned`: the bytes of the root that came with the device: others may begin with it, too.
  package mutating func storedFiles(
    provisioned: [UInt8]?
  ) throws(TrustError) -> [(name: String, bytes: [UInt8])] {
    let timestamp = try storedTimestampBytes()
    let fetch: (String, UInt64) -> Fetched = { file, _ in
      file == "timestamp.json" ? timestamp.map { .file($0) } ?? .absent : .absent
    }
    let snapshot = try refresh(fetch)
    let targets = try targets(snapshot, fetch: fetch)
    var files: [(name: String, bytes: [UInt8])] = []
    if let provisioned {
      let first = try TrustClient.root(provisioned, file: "the provisioned root.json")
      if first.head.version < root.head.version {
        files.append(("\(first.head.version).root.json", provisioned))
      }
    }
    files.append(("\(root.head.version).root.json", try stored(Name("root"), upTo: TrustLimits.root)))
    for (role, version, limit) in [
      (Name("snapshot"), snapshot.head.version, TrustLimits.snapshot),
      (Name("targets"), targets.head.version, TrustLimits.targets),
    ] {
      files.append((fileName(role, version: version), try stored(role, upTo: limit)))
    }
    files.append(("timestamp.json", timestamp ?? []))
    return files
  }

  /// The targets that were trusted last, vouched for by the keys of the root alone.
  ///
  /// To know again what was trusted before takes no bound of its version: timestamp and snapshot may be lost, or
  /// forgotten with their keys (5.3.11).
  package func storedTargets() throws(TrustError) -> Targets {
    let envelope = try Envelope(
      stored(Name("targets"), upTo: TrustLimits.targets), file: "the stored targets.json")
    try envelope.verify(by: root.authority(.targets))
    return try Targets(envelope)
  }

  /// Until when what each role has signed is valid, of the metadata that was trusted last, in seconds since 1970.
  ///
  /// What is missing, or that the keys of the root do not vouch for, has no time.
  package func storedExpiries() throws(TrustError) -> [(role: Root.TopLevel, expires: Int64)] {
    var expiries = [(role: Root.TopLevel.root, expires: root.head.expires)]
    let limits: [(Root.TopLevel, UInt64)] = [
      (.targets, TrustLimits.targets), (.snapshot, TrustLimits.snapshot), (.timestamp, TrustLimits.timestamp),
    ]
    for (role, limit) in limits {
      guard let bytes = try directory.read(Name(role.name), upTo: limit) else { continue }
      do throws(TrustError) {
        let envelope = try Envelope(bytes, file: "the stored \(role.name).json")
        try envelope.verify(by: root.authority(role))
        let head = try envelope.reading { (signed) throws(MetadataFlaw) in
          try MetadataHead(signed, type: role.name)
        }
        expiries.append((role, head.expires))
      } catch { if case .overMemory = error { throw error } }
    }
    return expiries
  }

  private func stored(_ role: Name, upTo limit: UInt64) throws(TrustError) -> [UInt8] {
    guard let bytes = try directory.read(role, upTo: limit) else {
      throw .missing(file: role.percentEncoded + ".json")
    }
    return bytes
  }
}
