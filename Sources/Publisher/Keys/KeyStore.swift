package import Crypto
internal import CryptoSigning
internal import Platform
internal import Synchronization
package import Trust

/// A directory of private keys, each encrypted in a file of its own that only its owner can read.
///
///     ROLE-SHORTID.pem            PKCS#8, encrypted; the first 16 digits of the key's id
///     ROLE-SHORTID.pem.revoked    the same, no longer used
///
/// A key is decrypted once, when it is first needed: decryption is slow by design.
package final class KeyStore: Sendable {
  package let path: String
  /// Signs with keys that are not in the directory.
  private let signer: Signer?
  let passphrase: @Sendable (PassphrasePurpose) throws(PublisherError) -> [UInt8]
  let state = Mutex(State())

  struct State {
    var passphrase: [UInt8]?
    var held: [String: HeldKey] = [:]
  }

  final class HeldKey {
    let key: PrivateKey
    let listed: MetadataKey

    init(_ key: consuming PrivateKey, path: String) throws(PublisherError) {
      let text: String
      do throws(KeyError) { text = try key.publicText() } catch { throw .keys(.unusable(path: path, error)) }
      listed = try MetadataKey(key.scheme, text: text)
      self.key = key
    }
  }

  /// `passphrase` is called at most once.
  package init(
    _ path: String, signer: Signer? = nil,
    passphrase: @escaping @Sendable (PassphrasePurpose) throws(PublisherError) -> [UInt8]
  ) {
    self.path = PathParts.withoutTrailingSlash(path)
    self.signer = signer
    self.passphrase = passphrase
  }

  deinit { state.withLock { $0.passphrase?.wipe() } }

  /// The path of the file of a key, whether it exists or not.
  package func path(_ role: Root.TopLevel, id: String) -> String { "\(path)/\(KeyStore.name(role, id: id))" }

  /// Whether the file of this key is in the directory.
  package func has(_ role: Root.TopLevel, id: String) throws(PublisherError) -> Bool {
    try names(role).contains(KeyStore.name(role, id: id))
  }

  /// Whether the directory has a key of the role other than these.
  func hasOther(_ role: Root.TopLevel, than ids: [String]) throws(PublisherError) -> Bool {
    let listed = ids.map { KeyStore.name(role, id: $0) }
    return try names(role).contains { !listed.contains($0) }
  }

  /// All keys of a role in the directory, decrypted.
  package func keys(_ role: Root.TopLevel) throws(PublisherError) -> [MetadataKey] {
    let names = try names(role)
    return try state.withLock { (state) throws(PublisherError) in
      try names.map { (name) throws(PublisherError) in try load(name, into: &state).listed }
    }
  }

  /// Decrypts a key; false if its file is not in the directory, and the signer has not got the key either.
  func unlock(_ key: MetadataKey, of role: Root.TopLevel) throws(PublisherError) -> Bool {
    guard try has(role, id: key.id) else { return try signer?.has(key, of: role) ?? false }
    try state.withLock { (state) throws(PublisherError) in
      _ = try load(KeyStore.name(role, id: key.id), into: &state)
    }
    return true
  }

  /// Signs with a key; nil if its file is not in the directory, and the signer has not got the key either.
  func sign(
    _ message: [UInt8], as role: Root.TopLevel, with key: MetadataKey
  ) throws(PublisherError) -> [UInt8]? {
    guard try has(role, id: key.id) else { return try signer?.sign(message, as: role, with: key) }
    let name = KeyStore.name(role, id: key.id)
    return try state.withLock { (state) throws(PublisherError) in
      let held = try load(name, into: &state)
      guard held.listed.id == key.id else { throw .keys(.misnamed(path: "\(path)/\(name)")) }
      do throws(KeyError) { return try held.key.sign(message.span.bytes) } catch {
        throw .keys(.unusable(path: "\(path)/\(name)", error))
      }
    }
  }

  /// Makes a key; its file is durable when this returns.
  package func make(_ role: Root.TopLevel, scheme: SignatureScheme) throws(PublisherError) -> MetadataKey {
    let others = try allNames()
    return try state.withLock { (state) throws(PublisherError) in
      // One passphrase for all keys: adding a key requires the one of the existing keys.
      if state.held.isEmpty, let other = others.first { _ = try load(other, into: &state) }
      let passphrase = try passphrase(.create, in: &state)
      let text: String
      let held = try HeldKey(try generate(scheme), path: path)
      let name = KeyStore.name(role, id: held.listed.id)
      do throws(KeyError) { text = try held.key.encryptedPEM(passphrase: passphrase) } catch {
        throw .keys(.unusable(path: path, error))
      }
      try write(text, to: name)
      state.held[name] = held
      return held.listed
    }
  }

  /// Sets a key aside: its file is kept under another name.
  func revoke(_ role: Root.TopLevel, id: String) throws(PublisherError) {
    guard try has(role, id: id) else { return }
    let name = KeyStore.name(role, id: id)
    try onFile { () throws(Failure) in
      let directory = try Directory(opening: path)
      try directory.rename(name, to: name + ".revoked")
      try directory.synchronize()
    }
    state.withLock { _ = $0.held.removeValue(forKey: name) }
  }
}
