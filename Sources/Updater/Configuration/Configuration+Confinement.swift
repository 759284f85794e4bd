internal import Crypto
package import Platform
internal import Releases
internal import Transport

/// What this process keeps within reach while it reads what comes from outside (`docs/decisions/0028`).
extension Configuration {
  /// The program that a confined process starts.
  package enum StartedProgram {
    case none
    case indexCommand
  }

  /// Gives up everything that the work on the store does not need; what is in force then.
  ///
  /// - `program`: the one that can be started all the same.
  /// - `folder`: a directory whose files are made and removed besides those of the store.
  @discardableResult
  package func confine(
    starting program: StartedProgram, changing folder: String? = nil
  ) -> [Confinement.Measure] {
    if let measures = Confinement.measures { return measures }
    // The time zone is read once.
    if !automatic.windows.isEmpty { _ = Clock.minuteOfDay }
    var access = access
    if let folder { access.changing.append(folder) }
    let measures = Confinement.enter(access, startable: program == .indexCommand ? startable : nil)
    Log.add(.debug, text: "confined by \(measures.isEmpty ? "nothing" : measures.map { $0.word }.listed)")
    return measures
  }

  /// Gives up everything but the log and the descriptors that are open: for a process that does nothing but talk to others.
  package func confineDoor() {
    var access = Confinement.Access()
    if case .file(let path) = log.destination { access.appending = [path] }
    _ = Confinement.enter(access)
  }

  /// The one list of what is opened by a path after the first request: a setting that names such a file belongs here.
  private var access: Confinement.Access {
    var access = Confinement.Access()
    access.reading = [
      RolloutShare.machineIDPath, trustedRoot,
      transport.certificateAuthorities ?? TransportSettings.systemAuthorities,
    ]
    access.reading += [transport.clientCertificate, transport.clientKey, transport.authorization, bundle]
      .compactMap { $0 }
    access.reading += (mirrors + depots).compactMap { Configuration.localPath($0) }
    access.changing = [root]
    if case .file(let path) = log.destination { access.appending = [path] }
    return access
  }

  /// The index command, for files in staging.
  private var startable: (path: String, argument: String, variable: String)? {
    index.command.map { ($0, "\(root)/staging/", "TINYUPDATER_") }
  }

  /// The URL of a file or directory with an absolute path.
  static func url(ofPath path: String) -> String {
    var url = Array("file://".utf8)
    for byte in path.utf8 {
      if byte > 0x20 && byte < 0x7f && byte != UInt8(ascii: "%") {
        url.append(byte)
      } else {
        url += Array("%\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
      }
    }
    return String(decoding: url, as: UTF8.self)
  }

  /// The path that a URL of a file has; nil if it is another one.
  package static func localPath(_ url: String) -> String? {
    guard url.utf8.starts(with: "file://".utf8) else { return nil }
    var path: [UInt8] = []
    var rest = url.utf8.dropFirst(7).drop { $0 != UInt8(ascii: "/") }
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2).compactMap { Hex.value($0) }
      guard byte == UInt8(ascii: "%"), digits.count == 2 else {
        path.append(byte)
        continue
      }
      path.append(digits[0] << 4 | digits[1])
      rest = rest.dropFirst(2)
    }
    return String(decoding: path, as: UTF8.self)
  }
}
