internal import Crypto
import JSONReading
internal import Trust

/// A target path that is looked for, and the hexadecimal SHA-256 of it, by which hashed bins go.
struct SoughtPath {
  let path: Name
  /// Empty if it could not be computed: no prefix matches then.
  let digest: [UInt8]

  init(_ path: Name) {
    self.path = path
    do throws(HasherError) { digest = Array(try Hasher.digest(of: path.bytes.span.bytes).hex.utf8) } catch {
      digest = []
    }
  }
}

/// Which target paths a delegation is for (TUF 1.0, section 4.6).
struct PathScope {
  private enum Kind { case patterns, hashPrefixes }

  /// Nil if the delegation is for nothing.
  private let list: (kind: Kind, texts: JSONValue)?

  init(_ role: JSONValue) throws(MetadataFlaw) {
    let hasPaths = role.member("paths") != nil
    let hasPrefixes = role.member("path_hash_prefixes") != nil
    guard !hasPaths || !hasPrefixes else { throw .value("paths") }
    if hasPaths {
      list = (.patterns, try role.array("paths"))
    } else if hasPrefixes {
      list = (.hashPrefixes, try role.array("path_hash_prefixes"))
    } else {
      list = nil
    }
  }

  /// Whether it is for `path`; throws if one of its texts is not allowed, whether or not it matches.
  func contains(_ path: SoughtPath?) throws(MetadataFlaw) -> Bool {
    guard let list else { return false }
    var isFound = false
    try list.texts.forEachElement { (element) throws(MetadataFlaw) in
      guard let bytes = element.bytes, bytes.count <= TrustLimits.name else {
        throw .member(list.kind == .patterns ? "paths" : "path_hash_prefixes")
      }
      guard let path, !isFound else { return }
      switch list.kind {
      case .patterns: isFound = PathPattern(Name(bytes: bytes)).matches(path.path)
      case .hashPrefixes: isFound = !path.digest.isEmpty && path.digest.starts(with: bytes)
      }
    }
    return isFound
  }
}
