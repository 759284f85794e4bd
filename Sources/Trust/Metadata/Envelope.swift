internal import Crypto
package import JSONReading
internal import Platform

/// A metadata file: what was signed, and the signatures (TUF 1.0, section 4.2).
package struct Envelope {
  /// What it is called in messages.
  package let file: String
  /// The signed object.
  package let signed: JSONValue
  package let signatures: [Signature]

  package struct Signature: Equatable {
    package let keyID: Name
    /// Empty if the text is not a hexadecimal number: it does not count then.
    package let bytes: [UInt8]
  }

  package init(_ bytes: [UInt8], file: String) throws(TrustError) {
    (signed, signatures) = try Envelope.parse(bytes, file: file)
    self.file = file
  }

  private static func parse(_ bytes: [UInt8], file: String) throws(TrustError) -> (JSONValue, [Signature]) {
    let root: JSONValue
    do throws(JSONError) { root = try JSONValue(parsing: bytes) } catch {
      throw error == .outOfMemory ? .overMemory(file: file) : .malformed(file: file, .json(error))
    }
    do throws(MetadataFlaw) { return (try root.object("signed"), try signatures(root)) } catch {
      throw .malformed(file: file, error)
    }
  }

  private static func signatures(_ root: JSONValue) throws(MetadataFlaw) -> [Signature] {
    let array = try root.array("signatures")
    guard array.count <= TrustLimits.signatures else { throw .tooMany("signatures") }
    var list: [Signature] = []
    try array.forEachElement { (element) throws(MetadataFlaw) in
      let keyID = try element.name("keyid")
      guard !list.contains(where: { $0.keyID == keyID }) else { throw .repeated("signatures") }
      list.append(Signature(keyID: keyID, bytes: Hex.bytes(try element.text("sig")) ?? []))
    }
    return list
  }

  /// How many of the authority's keys have signed this.
  ///
  /// Distinct keys, by their bytes, are counted: not signatures, and not key ids.
  package func validKeys(_ authority: Authority) -> Int {
    let message = signed.canonical
    var found: [Digest] = []
    for signature in signatures where authority.role.keyIDs.contains(signature.keyID) {
      guard let listed = authority.keys.first(where: { $0.id == signature.keyID }), let scheme = listed.scheme
      else { continue }
      do throws(KeyError) {
        let key = try PublicKey(scheme, text: listed.text)
        let identity = key.identity
        if !found.contains(identity), key.verifies(signature.bytes, of: message.span.bytes) {
          found.append(identity)
        }
      } catch {}  // what is not a key verifies nothing
    }
    return found.count
  }

  /// Throws unless enough keys of the authority have signed this.
  package func verify(by authority: Authority) throws(TrustError) {
    let found = validKeys(authority)
    guard UInt64(found) >= authority.role.threshold else {
      throw .unsigned(
        file: file, delegator: authority.delegator, found: found,
        threshold: Int(clamping: authority.role.threshold))
    }
  }

  /// Reads the signed object with the error of this module.
  package func reading<Result>(
    _ body: (JSONValue) throws(MetadataFlaw) -> Result
  ) throws(TrustError) -> Result {
    do throws(MetadataFlaw) { return try body(signed) } catch { throw .malformed(file: file, error) }
  }
}
