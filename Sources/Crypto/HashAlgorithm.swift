internal import CCrypto

/// The hashes that this program computes (FIPS 180-4), by their names in TUF metadata.
package enum HashAlgorithm {
  case sha256, sha512

  /// Nil for a hash that this program does not compute.
  package init?(name: String) {
    switch name {
    case "sha256": self = .sha256
    case "sha512": self = .sha512
    default: return nil
    }
  }

  package var name: String {
    switch self {
    case .sha256: "sha256"
    case .sha512: "sha512"
    }
  }

  /// Bytes of a digest.
  package var size: Int {
    switch self {
    case .sha256: 32
    case .sha512: 64
    }
  }

  /// Static: it is never freed.
  var implementation: OpaquePointer? {
    switch self {
    case .sha256: EVP_sha256()
    case .sha512: EVP_sha512()
    }
  }
}
