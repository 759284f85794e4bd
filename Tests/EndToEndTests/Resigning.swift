import Crypto
import CryptoSigning
import Foundation
import Platform
import TestSupport
import Testing
import Trust
import TrustTestSupport

/// What `tinypublish` would not sign, signed with its keys all the same.
extension PublishedRepository {
  /// Changes the newest targets, and signs them and what depends on them as next versions.
  func signTargets(_ change: (inout JSONTree) throws -> Void = { _ in }) throws {
    var timestamp = try signed("timestamp.json")
    let snapshotVersion = timestamp[["meta", "snapshot.json", "version"]]?.number ?? 0
    var snapshot = try signed("\(snapshotVersion).snapshot.json")
    let targetsVersion = snapshot[["meta", "targets.json", "version"]]?.number ?? 0
    var targets = try signed("\(targetsVersion).targets.json")
    try change(&targets)
    snapshot[["meta", "targets.json"]] = try serve(&targets, as: "targets")
    timestamp[["meta", "snapshot.json"]] = try serve(&snapshot, as: "snapshot")
    _ = try serve(&timestamp, as: "timestamp")
  }

  /// Signs another timestamp than the publisher's program would.
  func signTimestamp(_ change: (inout JSONTree) throws -> Void) throws {
    var timestamp = try signed("timestamp.json")
    try change(&timestamp)
    _ = try serve(&timestamp, as: "timestamp")
  }

  /// The signed part of a file below `metadata`.
  func signed(_ file: String) throws -> JSONTree {
    try #require(try JSONTree(parsing: contents("\(path)/metadata/\(file)"))["signed"])
  }

  /// Writes the next version of a file; what another one says of it.
  private func serve(_ signed: inout JSONTree, as role: String) throws -> JSONTree {
    let version = (signed["version"]?.number ?? 0) + 1
    signed["version"] = .number(version)
    let bytes = try sign(signed, by: role)
    try replace("metadata/\(role == "timestamp" ? "" : "\(version).")\(role).json", bytes)
    return [
      "version": .number(version), "length": .number(bytes.count),
      "hashes": ["sha256": .text(try digest(of: bytes))],
    ]
  }

  /// The file of a signed part, by all keys of a role that are here.
  private func sign(_ signed: JSONTree, by role: String) throws -> [UInt8] {
    let names = try names(keys).filter { $0.hasPrefix("\(role)-") && $0.hasSuffix(".pem") }
    let signatures = try names.map { try signature(of: signed, keyFile: "\(keys)/\($0)") }
    return Array(JSONTree.object(["signed": signed, "signatures": .array(signatures)]).json.utf8)
  }

  /// One element of `signatures`, by an encrypted key of the publisher.
  func signature(of signed: JSONTree, keyFile: String) throws -> JSONTree {
    let message = try canonical(signed)
    let text = String(decoding: try contents(keyFile), as: UTF8.self)
    let passphrase = Array(try contents(passphraseFile).dropLast())
    let key = try PrivateKey(encryptedPEM: text, passphrase: passphrase)
    let bytes = try key.sign(message.span.bytes)
    return ["keyid": .text(try id(key)), "sig": .text(Hex.text(bytes))]
  }

  private func id(_ key: borrowing PrivateKey) throws -> String {
    let text = try key.publicText()
    let bytes = try canonical([
      "keytype": .text(key.scheme.keytype), "scheme": .text(key.scheme.name),
      "keyval": ["public": .text(text)],
    ])
    return try digest(of: bytes)
  }
}
