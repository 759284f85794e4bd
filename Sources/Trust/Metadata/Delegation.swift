internal import Crypto

/// A role that another targets role trusts with some of the paths.
struct Delegation: Equatable {
  let name: Name
  let authority: Authority
  /// Where it matches, no delegation after it is asked.
  let isTerminating: Bool

  /// Calls `body` with each delegation of a targets role that matches `path`; all of them are checked.
  ///
  /// Nothing is kept of the others, and nothing of the paths that any of them is for: a file of half a megabyte may
  /// list very many.
  static func forEach(
    matching path: Name?, in signed: JSONValue, by delegator: Name,
    _ body: (Delegation) throws(MetadataFlaw) -> Void
  ) throws(MetadataFlaw) {
    guard let delegations = signed.member("delegations") else { return }
    guard delegations.kind == .object else { throw .member("delegations") }
    let keys = try Key.read(delegations.object("keys"))
    // Bins by digest (TAP 15) are not of the specification: their targets are not found here.
    if delegations.member("roles") == nil && delegations.member("succinct_roles") != nil { return }
    let roles = try delegations.array("roles")
    guard roles.count <= Limits.delegations else { throw .tooMany("roles") }
    let path = path.map { SoughtPath($0) }
    var names: [Name] = []
    try roles.forEachElement { (value) throws(MetadataFlaw) in
      let name = try value.name("name")
      guard !Root.TopLevel.isName(name) else { throw .value("name") }
      names.append(name)
      let isMatching = try PathScope(value).contains(path)
      let role = try Role(value)
      let isTerminating = try value.flag("terminating")
      guard isMatching else { return }
      let needed = keys.filter { role.keyIDs.contains($0.id) }
      try body(
        Delegation(
          name: name, authority: Authority(delegator: delegator.text, role: role, keys: needed),
          isTerminating: isTerminating))
    }
    names.sort()
    for index in names.indices.dropFirst() where names[index] == names[index - 1] { throw .repeated("roles") }
  }
}

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
      guard let bytes = element.bytes, bytes.count <= Limits.name else {
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
