import Glibc
import Platform
import Synchronization
import TestSupport
import Testing

/// nginx on a free port of the loopback interface.
final class WebServer {
  let url: String
  let port: UInt16
  private let scratch: Scratch
  private let child: ChildProcess
  private var isRunning = true

  /// Directives that hand out whole components slowly.
  ///
  /// nginx counts in seconds: each brings one piece.
  static let slowComponents = "location /components/ { limit_rate 20k; }"

  /// A request as nginx saw it.
  struct Entry: Equatable {
    let path: String
    let status: Int
    /// Bytes of the body.
    let sent: Int
    /// "-" if there was none.
    let range: String
    /// The number of the connection that it came over.
    let connection: Int
  }

  /// Serves `folder` over http, or over https with a certificate of `authority`.
  ///
  /// The directives hold for all files, such as `limit_rate 100k;`. `port`: that of a server before this one.
  /// `address`: of the loopback interface.
  init(
    _ folder: String, authority: CertificateAuthority? = nil, directives: String = "", port: UInt16? = nil,
    address: String = "127.0.0.1"
  ) throws {
    scratch = try Scratch("nginx")
    let tls = authority.map {
      "ssl; ssl_certificate \($0.serverCertificate); ssl_certificate_key \($0.serverKey);"
    }
    let text = { [path = scratch.path] (port: UInt16) in
      // The temporary paths are named because the built-in ones belong to the system's nginx.
      """
      daemon off; worker_processes 1; pid \(path)/pid;
      error_log stderr notice;
      events { worker_connections 64; }
      http {
        client_body_temp_path \(path)/1; proxy_temp_path \(path)/2;
        fastcgi_temp_path \(path)/3; uwsgi_temp_path \(path)/4; scgi_temp_path \(path)/5;
        log_format plain '$uri $status $body_bytes_sent $connection "$http_range"';
        access_log \(path)/access plain;
        server {
          listen \(address):\(port) \(tls ?? ";")
          root \(folder);
          keepalive_timeout 60;
          \(directives)
        }
      }
      \(getuid() == 0 ? "user root;" : "")
      """
    }
    (child, self.port) = try WebServer.start(in: scratch, at: port, configuration: text)
    url = "\(authority == nil ? "http" : "https")://\(address):\(self.port)"
  }

  /// Another process can take a free port before nginx does: then it is another one's turn.
  private static func start(
    in scratch: Scratch, at given: UInt16?, configuration: (UInt16) -> String
  ) throws -> (ChildProcess, UInt16) {
    var refusals = ""
    for _ in 0..<(given == nil ? 3 : 1) {
      let port = try given ?? freePort()
      try scratch.write("nginx.conf", configuration(port))
      let child = try ChildProcess(
        "nginx", ["-p", scratch.path, "-c", "\(scratch.path)/nginx.conf", "-e", "stderr"])
      if child.waitForLine(with: "start worker process", in: .error) != nil { return (child, port) }
      let end = child.wait(timeout: 5)
      refusals += "\(child.text(readFrom: .error))\(end.error)(exit \(end.status ?? -1))\n"
    }
    throw Unmet("nginx did not start: \(refusals)")
  }

  // Killed without warning, the master would leave its workers running.
  deinit { kill() }

  /// Ends it at once: connections break.
  func kill() {
    end(SIGTERM)
  }

  /// Stops answering, with all connections left open and new ones taken by the kernel: a black hole.
  func pause() throws { try signalWorker("STOP") }

  func goOn() throws { try signalWorker("CONT") }

  private func signalWorker(_ signal: String) throws {
    let master = String(decoding: try scratch.read("pid"), as: UTF8.self).replacing("\n", with: "")
    try Programs.run("pkill", "-\(signal)", "-P", master)
  }

  /// Ends it when the open requests are answered, and returns what was asked.
  func finish() throws -> [Entry] {
    end(SIGQUIT)
    return try log()
  }

  private func end(_ signal: Int32) {
    guard isRunning else { return }
    isRunning = false
    child.signal(signal)
    _ = child.wait(timeout: 20)
  }

  /// What was asked; complete only when it has ended.
  func log() throws -> [Entry] {
    let text = String(decoding: try scratch.read("access"), as: UTF8.self)
    return try text.split(separator: "\n").map { line in
      let words = line.split(separator: " ", maxSplits: 4)
      return Entry(
        path: String(words[0].dropFirst()), status: try #require(Int(words[1])),
        sent: try #require(Int(words[2])), range: String(words[4]).replacing("\"", with: ""),
        connection: try #require(Int(words[3])))
    }
  }

  /// Below the ports that the kernel chooses by itself.
  private static let lastPort = Mutex(UInt16.random(in: 10_000..<20_000))

  /// A port that no server of these tests has had: where one was killed, nobody answers.
  private static func freePort() throws -> UInt16 {
    try lastPort.withLock { port in
      repeat { port += 1 } while port < 32_000 && !isFree(port)
      guard port < 32_000 else { throw Unmet("no port up to \(port) is free") }
      return port
    }
  }

  private static func isFree(_ port: UInt16) -> Bool {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}

extension [WebServer.Entry] {
  /// Requests for data, in their order.
  var payloads: [WebServer.Entry] {
    filter { $0.path.hasPrefix("payloads/") || $0.path.hasPrefix("components/") }
  }

  var sent: Int { reduce(0) { $0 + $1.sent } }
}
