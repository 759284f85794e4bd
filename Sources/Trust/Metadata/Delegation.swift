internal import Crypto

/// A role that another targets role trusts with some of the paths.
struct Delegation: Equatable {
  let name: Name
  let authority: Authority
  /// Where it matches, nothing behind it is asked.
  let isTerminating: Bool

  /// Reads the `delegations` of a targets role; with a path, only those that match it.
  static func read(
    _ signed: JSONValue, by delegator: Name, for path: Name? = nil
  ) throws(MetadataFlaw) -> [Delegation] {
    guard let delegations = signed.member("delegations") else { return [] }
    guard delegations.kind == .object else { throw .member("delegations") }
    let keys = try Key.read(delegations.object("keys"))
    // Bins by digest (TAP 15) are not of the specification: their targets are not found here.
    if delegations.member("roles") == nil && delegations.member("succinct_roles") != nil { return [] }
    let roles = try delegations.array("roles")
    guard roles.count <= Limits.delegations else { throw .tooMany("roles") }
    var names: [Name] = []
    var list: [Delegation] = []
    try roles.forEachElement { (value) throws(MetadataFlaw) in
      let name = try value.name("name")
      guard !Root.TopLevel.isName(name) else { throw .value("name") }
      names.append(name)
      let scope = try PathScope(value)
      let role = try Role(value)
      let isTerminating = try value.flag("terminating")
      guard let path, scope.contains(path) else { return }
      let needed = keys.filter { role.keyIDs.contains($0.id) }
      list.append(
        Delegation(
          name: name, authority: Authority(delegator: delegator.text, role: role, keys: needed),
          isTerminating: isTerminating))
    }
    names.sort()
    for index in names.indices.dropFirst() where names[index] == names[index - 1] { throw .repeated("roles") }
    return list
  }
}

/// Which target paths a delegation is for.
enum PathScope: Equatable {
  case patterns([PathPattern])
  /// Beginnings of the hexadecimal SHA-256 of the path.
  case hashPrefixes([Name])
  case nothing

  init(_ role: JSONValue) throws(MetadataFlaw) {
    let hasPaths = role.member("paths") != nil
    let hasPrefixes = role.member("path_hash_prefixes") != nil
    switch (hasPaths, hasPrefixes) {
    case (true, true): throw .value("paths")
    case (true, false): self = .patterns(try PathScope.texts(role, "paths").map { PathPattern($0) })
    case (false, true): self = .hashPrefixes(try PathScope.texts(role, "path_hash_prefixes"))
    case (false, false): self = .nothing
    }
  }

  func contains(_ path: Name) -> Bool {
    switch self {
    case .patterns(let patterns): return patterns.contains { $0.matches(path) }
    case .hashPrefixes(let prefixes):
      do throws(HasherError) {
        let hex = Array(try Hasher.digest(of: path.bytes.span.bytes).hex.utf8)
        return prefixes.contains { hex.starts(with: $0.bytes) }
      } catch { return false }
    case .nothing: return false
    }
  }

  private static func texts(_ role: JSONValue, _ name: String) throws(MetadataFlaw) -> [Name] {
    var list: [Name] = []
    try role.array(name).forEachElement { (element) throws(MetadataFlaw) in
      guard let bytes = element.bytes, bytes.count <= Limits.name else { throw .member(name) }
      list.append(Name(bytes: bytes))
    }
    return list
  }
}
