internal import Crypto
internal import JSONReading
internal import Platform
package import Trust

/// A metadata file: its signed part, and the signatures that it has so far.
package struct SignedFile: Equatable, Sendable {
  package let role: Root.TopLevel
  package let version: UInt64
  /// Seconds since 1970.
  package let expires: Int64
  package let issued: Int64?
  /// The bytes that are signed, in the canonical form of `Trust`.
  package let canonical: [UInt8]
  package private(set) var signatures: [Signature] = []

  package struct Signature: Equatable, Sendable {
    package let keyID: String
    package let bytes: [UInt8]
  }

  /// Takes the signed part as JSON, with no signatures yet.
  init(_ signed: JSON, file: String) throws(PublisherError) {
    let text = "{\"signatures\":[],\"signed\":\(signed.text)}"
    do throws(TrustError) { try self.init(parsing: Array(text.utf8), file: file) } catch {
      throw .repository(.metadata(error))
    }
  }

  /// Reads a whole file; `file` is what errors call it.
  package init(parsing bytes: [UInt8], file: String) throws(TrustError) {
    let envelope = try Envelope(bytes, file: file)
    canonical = envelope.signed.canonical
    signatures = envelope.signatures.map { Signature(keyID: $0.keyID.text, bytes: $0.bytes) }
    let type = envelope.signed.member("_type")?.text ?? ""
    guard let role = Root.TopLevel(name: type) else { throw .malformed(file: file, .value("_type")) }
    self.role = role
    let head =
      switch role {
      case .root: try Root(envelope).head
      case .timestamp: try Timestamp(envelope).head
      case .snapshot: try Snapshot(envelope).head
      case .targets: try Targets(envelope).head
      }
    version = head.version
    expires = head.expires
    issued = head.issued
  }

  /// The file's name in the repository's `metadata`.
  package var name: String { SignedFile.name(role, version: version) }

  static func name(_ role: Root.TopLevel, version: UInt64) -> String {
    role == .timestamp ? "timestamp.json" : "\(version).\(role.name).json"
  }

  /// Its validity in seconds; nil if it does not say when it was signed.
  var validity: Int64? {
    guard let issued, issued < expires else { return nil }
    return expires - issued
  }

  /// It expires within 30 days, or half of its validity if that is less; in seconds since 1970.
  package func isDue(at now: Int64) -> Bool {
    expires - now < min(30 * 86_400, (validity ?? .max) / 2)
  }

  /// The file as it is served.
  ///
  /// The signed part is the canonical form itself, with one difference to JSON: its strings hold control
  /// characters as they are.
  package var bytes: [UInt8] {
    var text: [UInt8] = Array("{\"signatures\":[".utf8)
    for (index, signature) in signatures.enumerated() {
      text += "\(index > 0 ? "," : "")\n{\"keyid\":".utf8
      text += "\(JSON.quoted(signature.keyID)),\"sig\":\"\(Hex.text(signature.bytes))\"}".utf8
    }
    text += "],\n\"signed\":".utf8
    for byte in canonical {
      if byte < 0x20 { text += "\\u00\(Hex.text([byte]))".utf8 } else { text.append(byte) }
    }
    text += "}\n".utf8
    return text
  }

  // MARK: - Signatures

  /// Adds a signature, instead of any other by the same key.
  mutating func add(_ signature: Signature) {
    signatures.removeAll { $0.keyID == signature.keyID }
    signatures.append(signature)
    signatures.sort { $0.keyID < $1.keyID }
  }

  /// Signs with every available key that has not signed yet.
  mutating func sign(by keys: [MetadataKey], in store: KeyStore) throws(PublisherError) {
    for key in keys where !isSigned(by: key) {
      guard let bytes = try store.sign(canonical, as: role, with: key) else { continue }
      add(Signature(keyID: key.id, bytes: bytes))
    }
  }

  package func isSigned(by key: MetadataKey) -> Bool {
    guard let signature = signatures.first(where: { $0.keyID == key.id }) else { return false }
    return key.verifies(signature.bytes, of: canonical)
  }

  /// How many of the keys that `root` lists for this role have signed; a device counts the same way.
  package func validKeys(_ root: Root) throws(PublisherError) -> Int {
    do throws(TrustError) { return try Envelope(bytes, file: name).validKeys(root.authority(role)) } catch {
      throw .repository(.metadata(error))
    }
  }

  func isValid(under root: Root) throws(PublisherError) -> Bool {
    try UInt64(validKeys(root)) >= root.role(role).threshold
  }
}
