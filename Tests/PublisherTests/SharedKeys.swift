import Crypto
import Glibc
import Platform
import TestSupport
import Testing
import Trust

@testable import Publisher

/// One key for each role, made once for all tests: a key takes a moment to encrypt and to decrypt.
enum SharedKeys {
  static let passphrase = "correct horse battery staple"

  static let store: KeyStore = {
    let store = KeyStore("\(Scratch.base)/\(name)") { (_) in Array(passphrase.utf8) }
    do throws(PublisherError) {
      try store.makeDirectory()
      for role in Root.TopLevel.allCases { _ = try store.make(role, scheme: .ed25519) }
    } catch { Issue.record("\(error.sentence)") }
    // Without openssl they stay as they are, and the tests take longer.
    do throws(Failure) { _ = try QuickKeys.encrypt(in: store.path, passphrase: passphrase) } catch {}
    atexit {
      do throws(Failure) { try Directory(opening: Scratch.base).removeTree(SharedKeys.name) } catch {}
    }
    return store
  }()

  private static let name = "publisher-keys-\(UInt64.random(in: 0 ... .max))"
}
