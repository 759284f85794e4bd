internal import CPlatform

/// What a path leads to, symbolic links followed.
package enum FileKind: Equatable {
  /// A regular file.
  case file
  case directory
  case pipe
  case socket
  /// `/dev/null`, whatever its name.
  case null
  /// Any other device.
  case device

  /// Nil if there is nothing.
  package init?(at path: String) throws(Failure) {
    guard let found = try status(following: path) else { return nil }
    self.init(found)
  }

  init(_ status: CPlatform.stat) {
    var status = status
    if tu_is_regular(&status) != 0 {
      self = .file
    } else if tu_is_directory(&status) != 0 {
      self = .directory
    } else if tu_is_pipe(&status) != 0 {
      self = .pipe
    } else if tu_is_socket(&status) != 0 {
      self = .socket
    } else {
      self = tu_is_null(&status) != 0 ? .null : .device
    }
  }

  var name: String {
    switch self {
    case .file: "a file"
    case .directory: "a directory"
    case .pipe: "a pipe"
    case .socket: "a socket"
    case .null, .device: "a device"
    }
  }
}

/// Nil if there is nothing at `path`, or a symbolic link to nothing.
private func status(following path: String) throws(Failure) -> CPlatform.stat? {
  var status = CPlatform.stat()
  do throws(Failure) {
    try path.withPlatformString { (pointer) throws(Failure) in
      _ = try check(path) { fstatat(AT_FDCWD, pointer, &status, 0) }
    }
  } catch {
    guard error.errno == .noEntry else { throw error }
    return nil
  }
  return status
}

extension FileIdentity {
  /// The file that `path` leads to, symbolic links followed; nil if there is none.
  package init?(at path: String) throws(Failure) {
    guard let found = try status(following: path) else { return nil }
    self.init(found)
  }
}

extension File {
  /// Opens a file that a user named, or a pipe; what has no end, or not the bytes that its size says, is refused.
  package init(reading path: String) throws(OperandError) {
    switch try operand({ () throws(Failure) in try FileKind(at: path) }) {
    case .file, .pipe, .null, nil: break
    case .directory: throw .file(Failure(.isDirectory, path: path))
    case .some(let kind): throw .unreadable(path: path, kind)
    }
    self = try operand { () throws(Failure) in try File(opening: path) }
  }

  /// Opens a file that a user named, to be read in any order; `/dev/null` is an empty one.
  package init(readingAnywhere path: String) throws(OperandError) {
    if try operand({ () throws(Failure) in try FileKind(at: path) }) == .pipe {
      throw .unreadable(path: path, .pipe)
    }
    try self.init(reading: path)
  }

  /// Adds the rest of `other` at the current position.
  package func append(_ other: borrowing File) throws(Failure) {
    var buffer = Buffer(count: 64 << 10)
    while true {
      let count = try File.fill(&buffer, from: other)
      if count == 0 { break }
      try write(buffer.bytes.extracting(first: count))
    }
  }
}
