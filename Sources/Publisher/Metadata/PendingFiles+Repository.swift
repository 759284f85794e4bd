internal import Platform
package import Releases
internal import Trust

extension PendingFiles {
  /// The releases that will be listed when the targets are signed; nil if none wait.
  package func releases() throws(PublisherError) -> [ServedRelease]? {
    guard let file = targets else { return nil }
    do throws(TrustError) { return try ServedMetadata.releases(in: file, file: file.name) } catch {
      throw .repository(.metadata(error))
    }
  }

  /// The pending changes of a repository.
  package init(of repository: Repository) throws(PublisherError) {
    let directory = try repository.open()
    self = try PendingFiles(of: directory, after: ServedMetadata(of: repository))
  }

  /// Copies the files for the holders of the keys; returns their paths.
  package func export(to path: String, of repository: Repository) throws(PublisherError) -> [String] {
    guard !isEmpty else { throw .signatures(.nothingPending(path: repository.path)) }
    let paths = files.map { "\(PathParts.withoutTrailingSlash(path))/\($0.name)" }
    for (file, path) in zip(files, paths) {
      try file.save(as: onOperand { () throws(OperandError) in try OutputPath(file: path, inputs: []) })
    }
    return paths
  }
}
