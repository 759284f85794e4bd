import Crypto
import Platform
import TestSupport
import Testing
import Trust

@testable import Publisher

@Suite("Signers")
struct SignerTests {
  private let scratch: TestRepository

  init() throws {
    scratch = try TestRepository()
    try scratch.useOwnKeys()
    try scratch.initialize()
    try Maps.write(to: scratch)
  }

  private func sh(_ script: String) throws {
    let run = try ChildProcess.run("sh", ["-c", "cd '\(scratch.path)' && \(script)"])
    try #require(run.status == 0, "\(script): \(run.error)")
  }

  /// The store asks this command for the keys that are in no file.
  private func use(_ command: String) {
    scratch.store = KeyStore("\(scratch.path)/own.keys", signer: Signer(command: command)) { (_) in
      Array(SharedKeys.passphrase.utf8)
    }
  }

  /// A role's only key is that of `public.pem` from now on, which is nowhere in a file of ours.
  private func replaceKey(of role: Root.TopLevel) throws {
    let key = try MetadataKey(publicKeyAt: "\(scratch.path)/public.pem")
    var session = try scratch.session()
    let old = try RootContent(session.served.root)[role].keys[0]
    #expect(try session.addKey(.elsewhere(key), to: role).outcome == .published)
    #expect(try session.revokeKey(old.id, of: role).outcome == .published)
    #expect(try RootContent(session.served.root)[role].keys == [key])
    #expect(try !scratch.store.has(role, id: key.id))
  }

  /// Makes a key of openssl's in `key.pem`; the words with which it signs.
  private func makeKey(_ scheme: SignatureScheme) throws -> String {
    let (kind, words) =
      switch scheme {
      case .ed25519: ("ed25519", "pkeyutl -sign -rawin -in /dev/stdin -inkey")
      case .ecdsaP256: ("EC -pkeyopt ec_paramgen_curve:P-256", "dgst -sha256 -sign")
      case .rsaPSS: ("RSA -pkeyopt rsa_keygen_bits:3072", "dgst -sha256 -sigopt rsa_padding_mode:pss -sign")
      }
    try sh("openssl genpkey -algorithm \(kind) -out key.pem 2>/dev/null")
    try sh("openssl pkey -in key.pem -pubout -out public.pem")
    return "openssl \(words) '\(scratch.path)/key.pem'"
  }

  @Test(
    "keys that openssl alone has sign everything, and devices that began with others follow",
    arguments: [SignatureScheme.ed25519, .ecdsaP256, .rsaPSS])
  func openssl(scheme: SignatureScheme) async throws {
    let device = try Device(scratch)
    use("\(try makeKey(scheme))   # the key of all roles")
    for role in Root.TopLevel.allCases { try replaceKey(of: role) }
    #expect(try names(scratch.store.path).allSatisfy { $0.hasSuffix(".revoked") })
    #expect(try await scratch.release("1").outcome == .published)
    #expect(try device.labels() == ["1"])
    var session = try scratch.session()
    #expect(try session.renew(.root) == .published && session.renew(.timestamp) == .published)
    #expect(try device.labels() == ["1"])
  }

  @Test(
    "a key in a token signs through PKCS#11",
    .enabled(if: Token.isPossible, "apt-get install softhsm2 opensc"))
  func token() async throws {
    let device = try Device(scratch)
    let words = try Token(scratch.path).words
    try sh("\(words) --keypairgen --key-type EC:prime256v1 --id 01 >&2")
    try sh("\(words) --read-object --type pubkey --id 01 --output-file public.der >&2")
    try sh("openssl pkey -pubin -inform DER -in public.der -out public.pem")
    use(
      """
      [ $TINYPUBLISH_SCHEME = ecdsa-sha2-nistp256 ] || exit 10
      openssl dgst -sha256 -binary |
        \(words) --id 01 --sign --mechanism ECDSA --signature-format openssl
      """)
    try replaceKey(of: .root)
    try replaceKey(of: .targets)
    #expect(try await scratch.release("1").outcome == .published)
    #expect(try device.labels() == ["1"])
  }

  /// What a signer does wrong, and what is said of it.
  struct Fault: CustomTestStringConvertible {
    let command: String
    let text: String
    var testDescription: String { command }
    static let all = [
      Fault(command: "echo no card >&2; exit 3", text: "exited with 3 when"),
      Fault(command: "echo no card >&2; echo in slot 1 >&2; exit 3", text: " (no card; in slot 1). Devices"),
      Fault(command: "no-such-signer", text: "exited with 127"),
      Fault(command: "kill -KILL $$", text: "was killed by a signal (Killed)"),
      Fault(command: "cat", text: "is not a signature of key"),
      Fault(command: "true", text: "is not a signature of key"),
      Fault(command: "head -c 1000000 /dev/zero || exit 4", text: "exited with 4"),
      Fault(command: "rm \"$2\"; ", text: "signature: No such file"),
    ]
  }

  @Test("a signer that fails or answers something else stops a release before the work", arguments: Fault.all)
  func faults(fault: Fault) async throws {
    use(try makeKey(.ed25519))
    try replaceKey(of: .targets)
    let before = try scratch.tree()
    use(fault.command)
    let error = try #require(await scratch.refusal("1"))
    #expect(error.sentence.contains(fault.text), "\(error.sentence)")
    #expect(try scratch.tree() == before)
  }

  @Test(
    "a signer without the key of targets leaves a release for its owner; one without the timestamp's ends it")
  func absent() async throws {
    use("exit 10")
    _ = try makeKey(.ed25519)
    let key = try MetadataKey(publicKeyAt: "\(scratch.path)/public.pem")
    var session = try scratch.session()
    #expect(try session.addKey(.elsewhere(key), to: .targets, threshold: 1).outcome == .published)
    _ = consume session
    try sh("rm own.keys/targets-*")
    let lacking = MissingSignatures(file: "3.targets.json", role: .targets, found: 0, threshold: 1)
    guard case .pending(let missing) = try await scratch.release("1").outcome else {
      Issue.record("published")
      return
    }
    #expect(missing.map(\.role) == [.targets] && missing[0].found == lacking.found)
    try sh("rm own.keys/timestamp-*")
    let path = scratch.store.path
    #expect(
      await scratch.refusal("2")
        == .signatures(.tooFewKeys(role: "timestamp", found: 0, threshold: 1, path: path)))
  }

  @Test("it is told the role, the key and the scheme, and reads what is signed")
  func variables() throws {
    let words = try makeKey(.ed25519)
    use(
      """
      cat >>'\(scratch.path)/message'; echo $TINYPUBLISH_ROLE $TINYPUBLISH_SCHEME $TINYPUBLISH_KEY >>'\(scratch.path)/said'
      \(words) <"$1"
      """)
    try replaceKey(of: .timestamp)
    let key = try MetadataKey(publicKeyAt: "\(scratch.path)/public.pem")
    let said = String(decoding: try contents("\(scratch.path)/said"), as: UTF8.self).split(separator: "\n")
    #expect(!said.isEmpty && said.allSatisfy { $0 == "timestamp ed25519 \(key.id)" })
    let served = try ServedMetadata(of: Repository(opening: scratch.repository))
    let message = try contents("\(scratch.path)/message")
    #expect(message.suffix(served.timestamp.canonical.count).elementsEqual(served.timestamp.canonical))
  }
}

/// A token of SoftHSM in a directory of its own.
private struct Token {
  /// `pkcs11-tool`, logged in.
  let words: String

  private static let module = "/usr/lib/softhsm/libsofthsm2.so"
  static let isPossible =
    (try? ChildProcess.run("sh", ["-c", "test -e \(module) && command -v softhsm2-util pkcs11-tool"]))?.status
    == 0

  init(_ path: String) throws {
    let variable = "SOFTHSM2_CONF='\(path)/softhsm.conf'"
    let script = """
      mkdir '\(path)/tokens' && echo 'directories.tokendir = \(path)/tokens' >'\(path)/softhsm.conf' &&
      \(variable) softhsm2-util --init-token --free --label maps --pin 1234 --so-pin 5678
      """
    let run = try ChildProcess.run("sh", ["-c", script])
    try #require(run.status == 0, "\(run.error)")
    words = "\(variable) pkcs11-tool --module \(Token.module) --token-label maps --login --pin 1234"
  }
}
