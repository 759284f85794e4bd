package import JSONReading

/// Targets (TUF 1.0, section 4.5); roles that others are delegated to are not looked at.
package struct Targets {
  package let head: MetadataHead
  package let envelope: Envelope

  package init(_ envelope: Envelope) throws(TrustError) {
    head = try envelope.reading { (signed) throws(MetadataFlaw) in
      let head = try MetadataHead(signed, type: "targets")
      try signed.object("targets").forEachMember { (path, value) throws(MetadataFlaw) in
        _ = try TargetFile(path: path, value: value)
      }
      return head
    }
    self.envelope = envelope
  }

  /// Calls `body` with every target and its `custom` object, in no order.
  package func forEachTarget(_ body: (TargetFile, _ custom: JSONValue?) -> Void) throws(TrustError) {
    try envelope.reading { (signed) throws(MetadataFlaw) in
      try signed.object("targets").forEachMember { (path, value) throws(MetadataFlaw) in
        body(try TargetFile(path: path, value: value), value.member("custom"))
      }
    }
  }
}
