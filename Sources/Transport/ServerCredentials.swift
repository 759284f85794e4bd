internal import Platform

/// By what this device proves to servers who it is: the file that `authorization` names.
///
/// One line per server, as tinyupdater.conf(5) describes it: `HOST[:PORT] bearer TOKEN` or
/// `HOST[:PORT] basic USER:PASSWORD`.
struct ServerCredentials {
  /// What one server is told.
  struct Entry: Equatable {
    enum Scheme { case bearer, basic }

    /// Host and port as they stand in a URL, in lower case.
    let server: String
    let scheme: Scheme
    let secret: String
  }

  private var entries: [Entry] = []

  /// Reads the file; refuses one that others on the device can read.
  init(_ path: String) throws(Failure) {
    let file: File
    do throws(Failure) { file = try File(opening: path) } catch {
      throw .badCredentials(cause: error.sentence)
    }
    try TransportSettings.checkPrivate(file)
    var lines = LineReader(file, limit: TransportLimits.credential)
    while true {
      let line: LineReader.Line?
      do throws(Failure) { line = try lines.next() } catch { throw .badCredentials(cause: error.sentence) }
      guard let line else { return }
      if line.text.trimmed.isEmpty || line.bytes.first == UInt8(ascii: "#") { continue }
      guard entries.count < TransportLimits.credentials, let entry = Entry(line) else {
        // Not what it says: that may be a secret.
        throw .badCredentials(
          cause: "\(path), line \(lines.number) is not \"HOST bearer TOKEN\" or \"HOST basic USER:PASSWORD\"")
      }
      entries.append(entry)
    }
  }

  /// What the server of `url` is told; nil if the file does not name it.
  func entry(for url: String) -> Entry? {
    let server = url.server
    return entries.first { $0.server == server }
  }
}

extension ServerCredentials.Entry {
  /// Nil if the line is not of this form.
  fileprivate init?(_ line: LineReader.Line) {
    let words = line.text.trimmed.parts(separatedBy: " ", limit: 3)
    guard line.isWhole || line.bytes.count < TransportLimits.credential, words.count == 3 else { return nil }
    let secret = words[2].trimmed
    switch words[1].lowercasedASCII {
    // What is no token or no text would become part of a header (RFC 6750, section 2.1; RFC 7617, section 2).
    case "bearer" where secret.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }: scheme = .bearer
    case "basic"
    where secret.utf8.contains(UInt8(ascii: ":")) && secret.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }:
      scheme = .basic
    default: return nil
    }
    guard !words[0].isEmpty, !secret.isEmpty else { return nil }
    server = words[0].lowercasedASCII
    self.secret = secret
  }
}

extension String {
  /// Host and port of a URL, as they stand there, in lower case.
  var server: String {
    let parts = self.parts(separatedBy: "/", limit: 4)
    return parts.count > 2 ? parts[2].lowercasedASCII : ""
  }
}
