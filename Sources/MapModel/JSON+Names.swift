package import Platform

extension JSON {
  package mutating func add(_ key: String, _ name: some BytewiseName) { add(key, name.text) }

  package mutating func add(_ key: String, _ names: [some BytewiseName]) { add(key, names.map { $0.text }) }
}
