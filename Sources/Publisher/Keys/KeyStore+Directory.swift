internal import Platform

/// The directory that holds the private keys.
extension KeyStore {
  /// Makes the directory if there is none.
  package func makeDirectory() throws(PublisherError) {
    let parts = PathParts(of: path)
    try onFile { () throws(FileError) in
      let directory = try Directory(opening: parts.parent)
      do throws(FileError) { try directory.makePrivateDirectory(parts.name) } catch {
        guard error.errno == .exists else { throw error }
      }
      try directory.synchronize()
    }
  }

  /// Refuses keys where every visitor of the repository's server could fetch them.
  func check(outside repository: borrowing Directory) throws(PublisherError) {
    let isInside = try onFile { () throws(FileError) in
      let there: Directory
      // Where it is not there yet, what matters is where it would come to lie.
      do throws(FileError) { there = try Directory(opening: path) } catch {
        guard error.errno == .noEntry else { throw error }
        return try Directory(opening: PathParts(of: path).parent).isWithin(repository)
      }
      return try there.isWithin(repository)
    }
    if isInside { throw .keys(.insideRepository(path: path)) }
  }
}
