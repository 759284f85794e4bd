internal import CPlatform

/// Where a command writes what it makes, as a user named it: checked before anything is made.
///
/// A file is replaced, also if a symbolic link leads to it: the link stays, as with cp(1). Anything else that exists is
/// refused, because a file would replace it: the device or the pipe would be gone, and nothing written to it.
package struct OutputPath {
  /// As the user wrote it, for messages.
  package let path: String
  let place: Place

  /// Where the bytes go in the end.
  enum Place {
    /// - `parent`: an absolute path without symbolic links.
    case file(parent: String, name: String)
    case standardOutput
  }

  /// - `inputs`: the paths of files that are read; the output must not be one of them.
  package init(file path: String, inputs: [String]) throws(OperandError) {
    guard !OutputPath.isStandardOutput(path) else { throw .standardOutput }
    self.init(path: path, place: try OutputPath.file(path, inputs: inputs))
  }

  /// A file, or standard output as `-`, which must not be a terminal.
  package init(_ path: String, inputs: [String]) throws(OperandError) {
    guard OutputPath.isStandardOutput(path) else {
      try self.init(file: path, inputs: inputs)
      return
    }
    guard !Terminal.isInteractive(.output) else { throw .terminal }
    self.init(path: "standard output", place: .standardOutput)
  }

  private init(path: String, place: Place) {
    self.path = path
    self.place = place
  }

  private static func file(_ path: String, inputs: [String]) throws(OperandError) -> Place {
    if let kind = try operand({ () throws(Failure) in try FileKind(at: path) }) {
      guard kind == .file else { throw .irreplaceable(path: path, kind) }
      for input in inputs where try areSame(path, input) {
        throw .sameFile(path: path, as: input)
      }
      let resolved = try operand { () throws(Failure) in try canonical(path) }
      let (parent, name) = resolved.folderAndName
      return .file(parent: parent, name: name)
    }
    return try missing(path)
  }

  /// Both have the same name, so that one would replace the other.
  package func isSame(as other: OutputPath) -> Bool {
    guard case .file(let parent, let name) = place, case .file(let otherParent, let otherName) = other.place
    else { return false }
    return parent.utf8.elementsEqual(otherParent.utf8) && name.utf8.elementsEqual(otherName.utf8)
  }

  /// The bytes go to standard output.
  package var isStandardOutput: Bool {
    if case .standardOutput = place { true } else { false }
  }

  /// Where the file is made: beside the one that it replaces, or where files are that end with this process.
  package var directory: String {
    switch place {
    case .file(let parent, _): parent
    case .standardOutput: Environment.temporaryDirectory
    }
  }

  private static func isStandardOutput(_ path: String) -> Bool { path.utf8.elementsEqual("-".utf8) }

  private static func areSame(_ path: String, _ other: String) throws(OperandError) -> Bool {
    try operand { () throws(Failure) in
      guard let input = try FileIdentity(at: other) else { return false }
      return try FileIdentity(at: path) == input
    }
  }

  /// Where a file will be that is not there yet.
  private static func missing(_ path: String) throws(OperandError) -> Place {
    guard !path.isEmpty else { throw .file(Failure(.noEntry, path: "\"\"")) }
    let (folder, name) = path.folderAndName
    guard !name.isEmpty else { throw .irreplaceable(path: path, .directory) }
    let parent = try operand { () throws(Failure) in try canonical(folder) }
    let isLink = try operand { () throws(Failure) in
      try Directory(opening: parent).identity(of: name) != nil
    }
    guard !isLink else { throw .danglingLink(path: path) }
    return .file(parent: parent, name: name)
  }

  /// The absolute path without symbolic links of what exists at `path`.
  private static func canonical(_ path: String) throws(Failure) -> String {
    let resolved = path.withPlatformString { realpath($0, nil) }
    guard let resolved else { throw Failure(Errno.last, path: path) }
    defer { free(resolved) }
    return String(platformString: resolved)
  }
}

/// Wraps the error of a call on an operand.
func operand<Result: ~Copyable>(_ body: () throws(Failure) -> Result) throws(OperandError) -> Result {
  do throws(Failure) { return try body() } catch { throw .file(error) }
}
