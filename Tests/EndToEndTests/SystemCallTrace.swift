import Foundation

/// A system call that changes a disk or flushes it, out of the output of `strace -f -y`; all paths are whole.
enum DiskCall: Equatable {
  /// Opened to write; `isCut`: with `O_TRUNC`.
  case open(String, isCut: Bool)
  case write(String)
  case makeDirectory(String)
  case link(from: String, to: String)
  case symbolicLink(String, target: String)
  case rename(from: String, to: String)
  case remove(String)
  /// Parts of a file are given back to the file system.
  case punch(String)
  case flush(String, Flush)

  /// How much a flush makes durable.
  enum Flush: String {
    /// A file, or the names in a directory.
    case file = "fsync"
    case data = "fdatasync"
    case fileSystem = "syncfs"
  }
}

/// What `strace` printed about a run.
struct SystemCallTrace {
  var calls: [DiskCall]

  static let traced = [
    "openat", "write", "writev", "pwrite64", "ftruncate", "fallocate", "renameat", "renameat2", "linkat",
    "symlinkat", "unlinkat", "mkdirat", "rename", "link", "symlink", "unlink", "mkdir", "rmdir", "fsync",
    "fdatasync", "syncfs", "sync_file_range", "sync",
  ]

  /// The words in front of a command; data is not printed, only paths.
  static func words(log: String) -> [String] {
    ["strace", "-f", "-y", "-s", "0", "-o", log, "-e", "trace=\(traced.joined(separator: ","))"]
  }

  init(_ text: String) throws {
    calls = []
    var unfinished: [Substring: Substring] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
      guard parts.count == 2 else { continue }
      var rest = parts[1].drop { $0 == " " }
      if rest.hasSuffix(" <unfinished ...>") {
        unfinished[parts[0]] = rest.dropLast(" <unfinished ...>".count)
        continue
      }
      if rest.hasPrefix("<... "), let end = rest.range(of: " resumed>"),
        let start = unfinished.removeValue(forKey: parts[0])
      {
        rest = start + rest[end.upperBound...]
      }
      if let call = try SystemCallTrace.parse(rest) { calls.append(call) }
    }
  }

  /// Nil for a call that failed, or that changes nothing.
  private static func parse(_ line: Substring) throws -> DiskCall? {
    guard let open = line.firstIndex(of: "("), let equals = line.range(of: " = ", options: .backwards) else {
      return nil
    }
    let result = line[equals.upperBound...]
    guard !result.hasPrefix("-1 "), !result.hasPrefix("?") else { return nil }
    let name = line[..<open]
    let arguments = line[line.index(after: open)..<equals.lowerBound]
    let paths = whole(words(arguments))
    switch name {
    case "openat":
      let flags = arguments.split(separator: ",").first { $0.contains("O_") } ?? ""
      guard flags.contains("O_CREAT") || flags.contains("O_WRONLY") || flags.contains("O_RDWR") else {
        return nil
      }
      return .open(try first(paths, line), isCut: flags.contains("O_TRUNC"))
    // The space that fallocate reserves holds nothing yet.
    case "fallocate":
      return line.contains("FALLOC_FL_PUNCH_HOLE") ? .punch(try first(paths, line)) : nil
    case "write", "writev", "pwrite64", "ftruncate":
      return .write(try first(words(arguments).filter(\.isDescriptor).map(\.text), line))
    case "mkdirat": return .makeDirectory(try first(paths, line))
    case "unlinkat": return .remove(try first(paths, line))
    case "renameat", "linkat":
      guard paths.count == 2 else { throw Unmet("not understood: \(line)") }
      return name == "linkat"
        ? .link(from: paths[0], to: paths[1]) : .rename(from: paths[0], to: paths[1])
    case "symlinkat":
      let target = words(arguments).first.map(\.text) ?? ""
      return .symbolicLink(try last(paths, line), target: target)
    case "fsync", "fdatasync", "syncfs":
      guard let flush = DiskCall.Flush(rawValue: String(name)) else { return nil }
      return .flush(try first(paths, line), flush)
    default: throw Unmet("the program makes a call that this test does not know: \(line)")
    }
  }

  private static func first(_ paths: [String], _ line: Substring) throws -> String {
    guard let path = paths.first else { throw Unmet("not understood: \(line)") }
    return path
  }

  private static func last(_ paths: [String], _ line: Substring) throws -> String {
    guard let path = paths.last else { throw Unmet("not understood: \(line)") }
    return path
  }

  private struct Word {
    let text: String
    /// `3</path>`, not `"name"`.
    let isDescriptor: Bool
  }

  /// The descriptors' paths and the strings among the arguments.
  private static func words(_ arguments: Substring) -> [Word] {
    var words: [Word] = []
    var rest = arguments
    while let start = rest.firstIndex(where: { $0 == "<" || $0 == "\"" }) {
      let isDescriptor = rest[start] == "<"
      let body = rest[rest.index(after: start)...]
      guard let end = body.firstIndex(of: isDescriptor ? ">" : "\"") else { break }
      words.append(Word(text: String(body[..<end]), isDescriptor: isDescriptor))
      rest = body[body.index(after: end)...]
    }
    return words
  }

  /// A descriptor and the name after it are one path.
  private static func whole(_ words: [Word]) -> [String] {
    var paths: [String] = []
    var directory: String?
    for word in words {
      if word.isDescriptor {
        if let directory { paths.append(directory) }
        directory = word.text
      } else if word.text.hasPrefix("/") {
        paths.append(word.text)
        directory = nil
      } else if let base = directory {
        paths.append(base == "/" ? "/" + word.text : base + "/" + word.text)
        directory = nil
      }
    }
    if let directory { paths.append(directory) }
    return paths
  }
}
