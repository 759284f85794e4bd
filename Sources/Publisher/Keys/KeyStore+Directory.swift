internal import Platform

/// The directory that holds the private keys.
extension KeyStore {
  /// Makes the directory if it does not exist.
  package func makeDirectory() throws(PublisherError) {
    let parts = PathParts(of: path)
    try onFile { () throws(Failure) in
      let directory = try Directory(opening: parts.parent)
      do throws(Failure) { try directory.makePrivateDirectory(parts.name) } catch {
        guard error.errno == .exists else { throw error }
      }
      try directory.synchronize()
    }
  }

  /// Refuses a directory inside the repository, where the web server would serve the keys.
  func check(outside repository: borrowing Directory) throws(PublisherError) {
    let isInside = try onFile { () throws(Failure) in
      let there: Directory
      // If it does not exist yet, its parent counts.
      do throws(Failure) { there = try Directory(opening: path) } catch {
        guard error.errno == .noEntry else { throw error }
        return try Directory(opening: PathParts(of: path).parent).isWithin(repository)
      }
      return try there.isWithin(repository)
    }
    if isInside { throw .keys(.insideRepository(path: path)) }
  }
}
