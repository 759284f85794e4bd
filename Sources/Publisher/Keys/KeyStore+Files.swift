internal import Crypto
internal import CryptoSigning
internal import Platform
internal import Trust

/// The files of the private keys.
extension KeyStore {
  static func name(_ role: Root.TopLevel, id: String) -> String {
    "\(role.name)-\(MetadataKey.short(id)).pem"
  }

  func names(_ role: Root.TopLevel) throws(PublisherError) -> [String] {
    try allNames().filter { $0.utf8.starts(with: "\(role.name)-".utf8) }
  }

  /// Empty if the directory does not exist.
  func allNames() throws(PublisherError) -> [String] {
    var names: [String] = []
    do throws(Failure) {
      let directory = try Directory(opening: path)
      try directory.forEachName { (name) throws(Failure) in
        if name.utf8.suffix(4).elementsEqual(".pem".utf8) { names.append(name) }
      }
    } catch {
      guard error.errno == .noEntry else { throw .file(error) }
    }
    return names.sorted()
  }

  func load(_ name: String, into state: inout State) throws(PublisherError) -> HeldKey {
    if let held = state.held[name] { return held }
    let path = "\(path)/\(name)"
    let text = try onFile { () throws(Failure) in
      // A symbolic link is followed, because secrets are mounted as links; the permissions of the file itself count.
      let file = try File(opening: path)
      return try file.isPrivate() ? try file.bytes(upTo: PublisherLimits.keyFile) : nil
    }
    guard let text else { throw .keys(.keyReadableByOthers(path: path)) }
    let passphrase = try passphrase(.unlock, in: &state)
    let held = try HeldKey(try decrypt(text, passphrase: passphrase, path: path), path: path)
    guard name.utf8.dropLast(4).suffix(16).elementsEqual(held.listed.shortID.utf8) else {
      throw .keys(.misnamed(path: path))
    }
    state.held[name] = held
    return held
  }

  private func decrypt(
    _ text: [UInt8], passphrase: [UInt8], path: String
  ) throws(PublisherError) -> PrivateKey {
    do throws(KeyError) {
      return try PrivateKey(encryptedPEM: String(decoding: text, as: UTF8.self), passphrase: passphrase)
    } catch { throw .keys(.unusable(path: path, error)) }
  }

  func generate(_ scheme: SignatureScheme) throws(PublisherError) -> PrivateKey {
    do throws(KeyError) { return try PrivateKey.generate(scheme) } catch {
      throw .keys(.unusable(path: path, error))
    }
  }

  func passphrase(
    _ purpose: PassphrasePurpose, in state: inout State
  ) throws(PublisherError) -> [UInt8] {
    if let passphrase = state.passphrase { return passphrase }
    let passphrase = try passphrase(purpose)
    guard !passphrase.isEmpty else { throw .keys(.unusable(path: path, .badPassphrase)) }
    state.passphrase = passphrase
    return passphrase
  }

  func write(_ text: String, to name: String) throws(PublisherError) {
    try onFile { () throws(Failure) in
      let directory = try Directory(opening: path)
      let new = name + ".new"
      // What an interrupted run has left; keys have other names each time.
      try directory.removeTrees { $0.utf8.suffix(8).elementsEqual(".pem.new".utf8) }
      let file = try directory.open(new, to: .makePrivate)
      try file.write(text)
      try file.synchronize()
      try file.close()
      try directory.rename(new, to: name)
      try directory.synchronize()
    }
  }
}
