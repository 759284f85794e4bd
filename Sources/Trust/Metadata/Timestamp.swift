internal import JSONReading

/// Which snapshot is the newest (TUF 1.0, section 4.4).
package struct Timestamp: Equatable {
  package let head: MetadataHead
  package let snapshot: MetaFile

  package init(_ envelope: Envelope) throws(TrustError) {
    self = try envelope.reading { (signed) throws(MetadataFlaw) in try Timestamp(signed: signed) }
  }

  private init(signed: JSONValue) throws(MetadataFlaw) {
    head = try MetadataHead(signed, type: "timestamp")
    let meta = try signed.object("meta")
    guard let snapshot = meta.member("snapshot.json"), meta.count == 1 else { throw .member("meta") }
    self.snapshot = try MetaFile(snapshot)
  }
}
