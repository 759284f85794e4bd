internal import Crypto
internal import Platform
internal import Trust

/// A command of the user's that signs with keys which this program never sees, such as those of an HSM or a KMS.
///
/// The shell runs it once for each signature, without a terminal:
///
/// | | |
/// | --- | --- |
/// | standard input | what is to be signed, as a regular file |
/// | standard output | the signature: ed25519, 64 bytes (RFC 8032); ECDSA, DER (RFC 3279, 2.2.3); RSA, PSS with SHA-256 (RFC 8017) |
/// | `TINYPUBLISH_ROLE`, `TINYPUBLISH_KEY`, `TINYPUBLISH_SCHEME` | the role, the id of the key and its scheme, as in a root |
/// | exit code | 0: signed; 10: the key is not here; others: a failure, and standard error says why |
package struct Signer: Sendable {
  private let command: String

  private static var notHere: Int32 { 10 }
  /// Seconds for a signature: somebody may have to touch a token.
  private static var time: UInt64 { 300 }
  /// Bytes that it may write.
  private static var longestAnswer: UInt64 { 64 << 10 }
  /// Signed to learn whether a key is there, before hours of work; it is not metadata.
  private static var question: [UInt8] { Array("tinypublish asks whether this key is there\n".utf8) }

  package init(command: String) { self.command = command }

  /// Whether it signs with this key.
  func has(_ key: MetadataKey, of role: Root.TopLevel) throws(PublisherError) -> Bool {
    try sign(Signer.question, as: role, with: key) != nil
  }

  /// A signature that `key` verifies; nil if the command says that it has not got that key.
  func sign(
    _ message: [UInt8], as role: Root.TopLevel, with key: MetadataKey
  ) throws(PublisherError) -> [UInt8]? {
    let folder = try TemporaryFolder()
    let log = try onFile { () throws(Failure) in
      let file = try folder.file("message")
      try file.write(message.span.bytes)
      try file.close()
      try folder.file("signature").close()
      return try folder.file("log")
    }
    var limits = ChildProgram.Limits(memory: .max, seconds: Signer.time, fileSize: Signer.longestAnswer)
    limits.nice = 0
    let settings = [
      (name: "TINYPUBLISH_ROLE", value: role.name), (name: "TINYPUBLISH_KEY", value: key.id),
      (name: "TINYPUBLISH_SCHEME", value: key.scheme.name),
    ]
    // A line of its own, so that a comment in the command ends with it.
    let script = "exec <\"$1\" >\"$2\"\n\(command)\n"
    var child = try onFile { () throws(Failure) in
      try ChildProgram(
        starting: "/bin/sh",
        arguments: ["-c", script, "signer", "\(folder.path)/message", "\(folder.path)/signature"],
        settings: settings, output: log, limits: limits)
    }
    let ending = child.wait()
    if ending == .exited(Signer.notHere) { return nil }
    guard ending == .exited(0) else {
      throw .keys(.signerFailed(id: key.id, Signer.text(of: ending), said: try said(folder)))
    }
    let signature = try read("signature", in: folder)
    guard key.verifies(signature, of: message) else { throw .keys(.wrongSignature(id: key.id)) }
    return signature
  }

  private static func text(of ending: ChildProgram.Ending) -> String {
    switch ending {
    case .exited(let code): "exited with \(code)"
    case .killed(let signal): "was killed by a signal (\(ChildProgram.name(ofSignal: signal)))"
    case .overTime: "did not end within \(time) seconds"
    }
  }

  /// The last two lines that it wrote to standard error.
  private func said(_ folder: borrowing TemporaryFolder) throws(PublisherError) -> String {
    let text = String(decoding: try read("log", in: folder), as: UTF8.self)
    return text.split(separator: "\n").suffix(2).map { String($0).printable() }.joined(separator: "; ")
  }

  private func read(_ name: String, in folder: borrowing TemporaryFolder) throws(PublisherError) -> [UInt8] {
    try onFile { () throws(Failure) in
      try folder.directory.open(name).bytes(upTo: Signer.longestAnswer)
    }
  }
}
