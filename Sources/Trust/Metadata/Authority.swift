/// A role with the keys that its delegator lists, as it is needed to verify a file.
package struct Authority: Equatable {
  /// The role that lists the keys, for a message: "root", or the name of a targets role.
  package let delegator: String
  package let role: Role
  package let keys: [Key]

  package init(delegator: String, role: Role, keys: [Key]) {
    self.delegator = delegator
    self.role = role
    self.keys = keys
  }
}
