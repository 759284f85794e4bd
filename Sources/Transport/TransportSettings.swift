internal import Platform

/// How the network is used.
package struct TransportSettings: Equatable {
  /// The file of certificate authorities in PEM; nil: the system's.
  package var certificateAuthorities: String?
  /// The file of the certificate in PEM by which a server knows this device; nil: none.
  package var clientCertificate: String?
  /// The file of its private key in PEM; nil: it is in `clientCertificate`.
  package var clientKey: String?
  /// The file that says by what this device proves to a server who it is (`ServerCredentials`); nil: none.
  package var authorization: String?
  /// The URL of the proxy for all servers, empty: none; nil: the environment says.
  package var proxy: String?
  /// The most bytes per second; nil: no limit.
  package var rateLimit: UInt64?
  /// What the device calls itself in each request; nil: the program's name and version.
  package var userAgent: String?
  /// How often a request is tried again before it fails.
  package var retries = 5
  /// Milliseconds before the first retry; each further one waits about twice as long, at most a minute.
  package var retryDelay: UInt64 = 1000
  /// Seconds that making a connection may take.
  package var connectTimeout = 15
  /// Seconds after which a transfer of less than 100 bytes a second counts as broken.
  package var stallTimeout = 30
  /// Milliseconds that all answers to one request may take, beside a second for each KiB of its body.
  package var patience: UInt64 = 300_000

  package init() {}

  /// The file of the system's certificate authorities, as libcurl is built (`cross/libraries/curl`).
  package static var systemAuthorities: String { "/etc/ssl/certs/ca-certificates.crt" }

  /// Refuses a private key that cannot be read, or that others on the device can read.
  ///
  /// Asked before a request, and not before: what needs no network works all the same.
  func checkCredentials() throws(Failure) {
    guard let key = clientKey ?? clientCertificate else { return }
    let file: File
    do throws(Failure) { file = try File(opening: key) } catch {
      throw .badCredentials(cause: error.sentence)
    }
    try TransportSettings.checkPrivate(file)
  }

  /// Refuses a secret that others on the device can read.
  static func checkPrivate(_ file: borrowing File) throws(Failure) {
    do throws(Failure) { if try file.isPrivate() { return } } catch {
      throw .badCredentials(cause: error.sentence)
    }
    throw .badCredentials(cause: "others can read \(file.path); \"chmod 600\" it")
  }
}
