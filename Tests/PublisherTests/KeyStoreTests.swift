import CPlatform
import Crypto
import Glibc
import Platform
import TestSupport
import Testing
import Trust

@testable import Publisher

@Suite("KeyStore")
struct KeyStoreTests {
  private let scratch: TestRepository
  private let store: KeyStore

  init() throws {
    scratch = try TestRepository()
    store = KeyStoreTests.store(scratch)
    try store.makeDirectory()
  }

  private static func store(_ scratch: TestRepository, passphrase: String = "secret") -> KeyStore {
    KeyStore("\(scratch.path)/keys") { (_) in Array(passphrase.utf8) }
  }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  @Test("keys are for their owner alone, and named by role and id")
  func modes() throws {
    let key = try store.make(.targets, scheme: .ed25519)
    let path = store.path(.targets, id: key.id)
    #expect(path == "\(scratch.path)/keys/targets-\(key.id.prefix(16)).pem")
    #expect(mode("\(scratch.path)/keys") == 0o700)
    #expect(mode(path) == 0o600)
    #expect(try names(store.path) == ["targets-\(key.id.prefix(16)).pem"])
    #expect(try String(decoding: File(opening: path).bytes(upTo: 9999), as: UTF8.self).contains("ENCRYPTED"))
  }

  @Test(
    "another process with the passphrase signs the same",
    arguments: [SignatureScheme.ed25519, .ecdsaP256, .rsaPSS])
  func signing(scheme: SignatureScheme) throws {
    let key = try store.make(.root, scheme: scheme)
    let other = KeyStoreTests.store(scratch)
    #expect(try other.keys(.root) == [key])
    #expect(try other.keys(.targets) == [])
    let signature = try #require(try other.sign([1, 2, 3], as: .root, with: key))
    let message: [UInt8] = [1, 2, 3]
    #expect(try PublicKey(scheme, text: key.text).verifies(signature, of: message.span.bytes))
    #expect(try other.sign(message, as: .targets, with: key) == nil)
  }

  @Test("a wrong passphrase is refused, and so is none")
  func passphrase() throws {
    let key = try store.make(.root, scheme: .ed25519)
    let path = store.path(.root, id: key.id)
    #expect(throws: PublisherError.keys(.unusable(path: path, .wrongPassphrase))) {
      try KeyStoreTests.store(scratch, passphrase: "guess").keys(.root)
    }
    #expect(throws: PublisherError.keys(.unusable(path: store.path, .badPassphrase))) {
      try KeyStoreTests.store(scratch, passphrase: "").keys(.root)
    }
    // Nor can a key be added with another one.
    #expect(throws: PublisherError.keys(.unusable(path: path, .wrongPassphrase))) {
      try KeyStoreTests.store(scratch, passphrase: "guess").make(.targets, scheme: .ed25519)
    }
    #expect(try names(store.path).count == 1)
  }

  @Test("a key that others can read is refused", arguments: [0o640, 0o604, 0o660, 0o601] as [mode_t])
  func open(mode: mode_t) throws {
    let path = store.path(.root, id: try store.make(.root, scheme: .ed25519).id)
    #expect(chmod(path, mode) == 0)
    #expect(throws: PublisherError.keys(.keyReadableByOthers(path: path))) {
      try KeyStoreTests.store(scratch).keys(.root)
    }
  }

  @Test("keys that are mounted as links are used, if the files that they lead to are for their owner alone")
  func links() throws {
    let key = try store.make(.root, scheme: .ed25519)
    let name = "root-\(key.shortID).pem"
    let directory = try Directory(opening: store.path)
    try directory.makePrivateDirectory("..data")
    try directory.rename(name, to: "..data/\(name)")
    try directory.makeSymbolicLink(name, to: "..data/\(name)")
    #expect(try KeyStoreTests.store(scratch).keys(.root) == [key])
    #expect(chmod("\(store.path)/..data/\(name)", 0o644) == 0)
    #expect(throws: PublisherError.keys(.keyReadableByOthers(path: store.path(.root, id: key.id)))) {
      try KeyStoreTests.store(scratch).keys(.root)
    }
  }

  @Test(
    "a passphrase is the first line of a file, however it ends",
    arguments: [
      ("secret", "secret"), ("secret\n", "secret"), ("secret\r\nmore\r\n", "secret"), ("a\rb\n", "a\rb"),
      ("two words \n", "two words "), ("", ""), ("\n", ""), ("\r\n", ""), ("\nsecret\n", ""),
    ])
  func passphraseFile(text: String, line: String) throws {
    let path = try scratch.writeSecret("line", text)
    #expect(try PassphraseFile(path).passphrase() == Array(line.utf8))
  }

  @Test(
    "a passphrase file that others can read is refused, also through a link", arguments: [0o640, 0o604])
  func openPassphrase(mode: mode_t) throws {
    let path = try scratch.writeSecret("line", "secret\n")
    let link = "\(scratch.path)/link"
    try Directory(opening: scratch.path).makeSymbolicLink("link", to: "line")
    #expect(try PassphraseFile(link).passphrase() == Array("secret".utf8))
    #expect(chmod(path, mode) == 0)
    for path in [path, link] {
      #expect(throws: PublisherError.keys(.passphraseReadableByOthers(path: path))) {
        try PassphraseFile(path).passphrase()
      }
    }
  }

  @Test("a key under another key's name is refused")
  func misnamed() throws {
    let key = try store.make(.root, scheme: .ed25519)
    let wrong = "root-0123456789abcdef.pem"
    try Directory(opening: store.path).rename("root-\(key.shortID).pem", to: wrong)
    #expect(throws: PublisherError.keys(.misnamed(path: "\(store.path)/\(wrong)"))) {
      try KeyStoreTests.store(scratch).keys(.root)
    }
  }

  @Test("a revoked key is kept under another name")
  func revoked() throws {
    let key = try store.make(.root, scheme: .ed25519)
    try store.revoke(.root, id: key.id)
    #expect(try store.sign([1], as: .root, with: key) == nil)
    #expect(
      try names(store.path) == ["root-\(key.shortID).pem.revoked"])
  }

  @Test("keys are never put into the repository", arguments: ["", "/keys", "/metadata", "/../repository/x"])
  func inside(name: String) throws {
    try scratch.initialize()
    let path = "\(scratch.repository)\(name)"
    let inside = KeyStore(path) { (_) in [1] }
    #expect(throws: PublisherError.keys(.insideRepository(path: path))) {
      _ = try MetadataSession.begin(
        of: Repository(opening: scratch.repository), keys: inside, validity: Validity(),
        now: TestRepository.now)
    }
    if name.hasPrefix("/..") { return }
    scratch.store = KeyStore("\(scratch.path)/new\(name)") { (_) in [1] }
    #expect(throws: PublisherError.self) { try scratch.initialize("\(scratch.path)/new") }
  }

  @Test("the store asks for the passphrase once; only a terminal asks for it twice")
  func once() throws {
    let key = try store.make(.root, scheme: .ed25519)
    let asked = Asked()
    let other = KeyStore(store.path) { (purpose) in
      asked.purposes.append(purpose)
      return Array("secret".utf8)
    }
    _ = try other.make(.targets, scheme: .ed25519)
    _ = try other.sign([1], as: .root, with: key)
    #expect(asked.purposes == [.unlock])
  }

  private final class Asked: @unchecked Sendable {
    var purposes: [PassphrasePurpose] = []
  }

  @Test("public keys are read as we, openssl and a person write them")
  func publicKeys() throws {
    let made = try store.make(.targets, scheme: .ed25519)
    try scratch.write("a", made.json.text + "\n")
    try scratch.write("b", "  \(made.text.uppercased())\n")
    #expect(try MetadataKey(publicKeyAt: "\(scratch.input)/a") == made)
    #expect(try MetadataKey(publicKeyAt: "\(scratch.input)/b") == made)
    // RFC 8410, section 10.1.
    try scratch.write(
      "c",
      """
      -----BEGIN PUBLIC KEY-----
      MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
      -----END PUBLIC KEY-----

      """)
    #expect(
      try MetadataKey(publicKeyAt: "\(scratch.input)/c").text
        == "19bf44096984cdfe8541bac167dc3b96c85086aa30b6b6cb0c5c38ad703166e1")
    let curve = try store.make(.root, scheme: .ecdsaP256)
    try scratch.write("d", "\n\(curve.text)")
    #expect(try MetadataKey(publicKeyAt: "\(scratch.input)/d") == curve)
    for text in ["", "x", "{}", "{\"keytype\":\"ed25519\"", "-----BEGIN PUBLIC KEY-----\n", "0011"] {
      try scratch.write("e", text)
      let path = "\(scratch.input)/e"
      #expect(throws: PublisherError.keys(.notAPublicKey(path: path))) { try MetadataKey(publicKeyAt: path) }
    }
  }
}
