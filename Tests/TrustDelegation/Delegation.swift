import JSONReading
internal import Trust

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
    body: (Delegation) throws(MetadataFlaw) -> Void
  ) throws(MetadataFlaw) {
    guard let delegations = signed.member("delegations") else { return }
    guard delegations.kind == .object else { throw .member("delegations") }
    let keys = try Key.read(delegations.object("keys"))
    // Bins by digest (TAP 15) are not of the specification: their targets are not found here.
    if delegations.member("roles") == nil && delegations.member("succinct_roles") != nil { return }
    let roles = try delegations.array("roles")
    guard roles.count <= DelegationLimits.ofOneRole else { throw .tooMany("roles") }
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
