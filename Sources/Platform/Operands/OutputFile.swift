/// A file in the making, which gets its name, or goes to standard output, when it is complete.
///
/// Until then it has a name of its own or none, and it is removed when this ends.
public struct OutputFile: ~Copyable {
  /// Opened for reading and writing; in errors it has the path that the user wrote.
  package let file: File
  private let output: OutputPath
  private let directory: Directory
  /// Nil: the file has no name.
  private let unfinished: String?

  package init(_ output: OutputPath) throws(Failure) {
    let directory = try Directory(opening: output.directory)
    // No other file has this name, and if one had, it would be neither opened nor removed.
    let unfinished = output.isStandardOutput ? nil : ".tiny-\(Jitter.number(upTo: .max)).part"
    let file =
      if let unfinished { try directory.open(unfinished, to: .make, shownAs: output.path) } else {
        try File(unnamedIn: directory, shownAs: output.path)
      }
    self.file = file
    self.directory = directory
    self.unfinished = unfinished
    self.output = output
  }

  deinit {
    guard let unfinished else { return }
    do throws(Failure) { try directory.remove(unfinished) } catch {}
  }

  /// Makes the bytes durable and gives the file its name, or writes them to standard output.
  package func complete() throws(Failure) {
    guard let unfinished, case .file(_, let name) = output.place else { return try copyToStandardOutput() }
    try file.synchronize()
    try directory.rename(unfinished, to: name)
    try directory.synchronize()
  }

  private func copyToStandardOutput() throws(Failure) {
    try file.seek(to: 0)
    try File(standardOutput: output.path).append(file)
  }
}

extension File {
  /// Makes a file without a name, for reading and writing by this process alone: it ends with it.
  ///
  /// - `path`: what it is called in errors, if not by its directory.
  package init(unnamedIn directory: borrowing Directory, shownAs path: String? = nil) throws(Failure) {
    let name = ".tiny-\(Jitter.number(upTo: .max)).part"
    let file = try directory.open(name, to: .makePrivate, shownAs: path ?? directory.path)
    try directory.remove(name)
    self = file
  }
}
