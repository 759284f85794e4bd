internal import CPlatform

/// A socket of this machine that takes connections (unix(7)).
public final class LocalListener {
  /// For `Poll`.
  package let raw: CInt
  package let path: String
  /// The process that has made it, and removes its name again; nil if a service manager has handed it over, which listens
  /// on when this process ends.
  private let maker: pid_t?

  package var isInherited: Bool { maker == nil }

  /// Makes a socket at `path`, which everybody may connect to: who may do what is decided by `Peer`.
  ///
  /// One that is left over is replaced; throws `EADDRINUSE` if another process listens there.
  package init(at path: String) throws(Failure) {
    raw = try path.withPlatformString { (pointer) throws(Failure) in
      try check(path) { tu_listen(pointer) }
    }
    self.path = path
    maker = getpid()
  }

  /// Takes the socket that a service manager hands over (`sd_listen_fds(3)`); nil if there is none.
  package init?(inheritedAs path: String) {
    guard Environment.value("LISTEN_PID") == "\(getpid())", Environment.value("LISTEN_FDS") == "1",
      tu_is_listening(3) != 0
    else { return nil }
    tu_keep_to_itself(3)
    raw = 3
    self.path = path
    maker = nil
  }

  deinit {
    _ = close(raw)
    if maker == getpid() { File.remove(path) }
  }

  /// The next connection; nil if nobody waits for one, or the connection is gone already.
  package func accept() -> LocalConnection? {
    let client = tu_accept(raw)
    return client < 0 ? nil : LocalConnection(client)
  }
}

/// One connection to a socket of this machine.
///
/// Nothing that it does waits.
public final class LocalConnection {
  /// For `Poll`.
  package let raw: CInt

  fileprivate init(_ raw: CInt) { self.raw = raw }

  /// Connects to the socket at `path`.
  package static func connect(to path: String) throws(Failure) -> LocalConnection {
    LocalConnection(
      try path.withPlatformString { (pointer) throws(Failure) in try check(path) { tu_connect(pointer) } })
  }

  deinit { _ = close(raw) }

  /// Reads what is there, at most `limit` bytes, to the end of `bytes`.
  package func receive(into bytes: inout [UInt8], upTo limit: Int) -> Transfer {
    Transfer.read(raw, into: &bytes, upTo: limit)
  }

  /// Sends as many of `bytes` as there is room for.
  package func send(_ bytes: ArraySlice<UInt8>) -> Transfer {
    let count = bytes.withUnsafeBytes { tu_send(raw, $0.baseAddress, $0.count) }
    if count >= 0 { return .bytes(count) }
    let error = Errno.last
    return error == .wouldBlock || error == .interrupted ? .later : .closed
  }

  /// Who is at the other end; nil if the kernel does not say.
  package var peer: Peer? { Peer(raw) }
}

/// The process at the other end of a connection, as it was when it connected.
package struct Peer: Equatable {
  package let user: UInt32
  /// All of its groups.
  package let groups: [UInt32]

  fileprivate init?(_ raw: CInt) {
    var peer = tu_credentials()
    guard tu_peer(raw, &peer) == 0 else { return nil }
    user = peer.user
    var groups = [gid_t](repeating: 0, count: Peer.mostGroups)
    let count = groups.withUnsafeMutableBufferPointer {
      tu_peer_groups(raw, $0.baseAddress, CInt(Peer.mostGroups))
    }
    // A kernel before 4.13 knows only the first one.
    self.groups = [peer.group] + groups.prefix(Int(max(count, 0)))
  }

  /// It is root, or the user of this process.
  package var isOwner: Bool { user == 0 || user == geteuid() }

  private static var mostGroups: Int { 256 }
}

/// Groups of users (group(5)).
package enum UserGroup {
  /// The number of a group, which may be given as a number; nil if there is none of that name.
  package static func number(_ name: String) -> UInt32? {
    if let number = UInt32(ascii: name.utf8) { return number }
    let number = name.withPlatformString { tu_group($0) }
    return number < 0 ? nil : UInt32(exactly: number)
  }
}
