internal import Platform

extension Directory {
  /// Whether this directory is `other`, or lies anywhere below it.
  func isWithin(_ other: borrowing Directory) throws(Failure) -> Bool {
    let wanted = try other.present(".")
    var here = try present(".")
    if here == wanted { return true }
    var name = ".."
    while true {
      let parent = try present(name)
      if parent == wanted { return true }
      if parent == here { return false }  // the root is its own parent
      here = parent
      name += "/.."
    }
  }

  private func present(_ name: String) throws(Failure) -> FileIdentity {
    guard let identity = try identity(of: name) else { throw Failure(.noEntry, path: path) }
    return identity
  }
}
