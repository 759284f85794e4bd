internal import CPlatform

/// What this process has given up, as far as the kernel can hold it to that (`docs/decisions/0028`).
///
/// Entered once, before anything is read that comes from outside, and never left.
package enum Confinement {
  /// One of the three parts; a kernel may lack any.
  package enum Measure: Equatable {
    /// Nothing that it starts gains privileges.
    case noNewPrivileges
    /// Files that are not named in an `Access` cannot be opened, made or removed.
    case landlock
    /// System calls that an update does not make fail.
    case systemCalls

    /// The kernel's word for it.
    package var word: String {
      switch self {
      case .noNewPrivileges: "no_new_privs"
      case .landlock: "landlock"
      case .systemCalls: "seccomp"
      }
    }
  }

  /// The files that stay within reach, by their paths; what does not exist is left out.
  package struct Access {
    /// Files and directories with all that is below them, to be read.
    package var reading: [String] = []
    /// Directories in which everything may change.
    package var changing: [String] = []
    /// Files beside which others may be made, such as a log and the one that it is renamed to.
    package var appending: [String] = []

    package init() {}
  }

  /// What is in force; nil before `enter`.
  // Set once by the only thread.
  nonisolated(unsafe) package private(set) static var measures: [Measure]?

  /// Gives up everything but `access`; what is in force then.
  ///
  /// A second time it changes nothing.
  ///
  /// - `startable`: the one program that this process will start, which is not confined; its arguments are below
  ///   `argument`, and the variables that are set for it begin with `variable`.
  package static func enter(
    _ access: Access, startable: (path: String, argument: String, variable: String)? = nil
  ) -> [Measure] {
    if let measures { return measures }
    var entered: [Measure] = []
    defer { measures = entered }
    guard tu_is_complete() != 0 else { return [] }
    if let startable { ChildProgram.prepare(startable) }
    // A log that goes there later has no other way.
    tu_connect_log()
    // The others need it, unless they are entered by root.
    guard tu_forgo_privileges() == 0 else { return [] }
    entered.append(.noNewPrivileges)
    if restrictFiles(to: access) { entered.append(.landlock) }
    // The last one: its list lacks what the others need.
    if tu_limit_system_calls() == 0 { entered.append(.systemCalls) }
    return entered
  }

  private static func restrictFiles(to access: Access) -> Bool {
    let rights = tu_landlock_rights()
    guard rights != 0 else { return false }
    let rules = tu_landlock_create(rights)
    guard rules >= 0 else { return false }
    defer { _ = close(rules) }
    // What the kernel refuses to leave would be missed later.
    var isComplete = true
    @discardableResult
    func leave(_ path: String, for use: Int) -> Bool {
      let wanted = UInt32(truncatingIfNeeded: use) & rights
      let result = path.withPlatformString { tu_landlock_allow(rules, $0, wanted) }
      if result < 0 { isComplete = false }
      return result > 0
    }
    for path in access.reading { leave(path, for: reading) }
    for path in access.changing { leave(path, for: changing) }
    for path in access.appending { leave(parent(of: path), for: appending) }
    // How much memory it took, for history and status.
    leave("/proc/self/status", for: file)
    leave("/etc/hosts", for: file)
    // The file is replaced by another one when the network changes, so that its directory has to be named; before the
    // first network is up, even that may be missing.
    var names = nameServers
    while names.utf8.count > 1, !leave(names, for: file) { names = parent(of: names) }
    // A link may lead to the file of another program then.
    for path in otherNameServers { leave(path, for: file) }
    return isComplete && tu_landlock_restrict(rules) == 0
  }

  private static var file: Int { TU_READ_FILE }
  private static var reading: Int { file | TU_READ_DIR }
  private static var appending: Int { reading | TU_WRITE_FILE | TU_TRUNCATE | TU_MAKE_REG | TU_REMOVE_FILE }
  private static var changing: Int { appending | TU_MAKE_DIR | TU_MAKE_SYM | TU_REMOVE_DIR | TU_REFER }

  /// Where the programs that manage networks keep the file that lists the name servers: systemd-resolved,
  /// NetworkManager, resolvconf, ConnMan, netconfig, and netifd of OpenWrt.
  private static var otherNameServers: [String] {
    [
      "/run/systemd/resolve", "/run/NetworkManager", "/run/resolvconf", "/etc/resolvconf/run", "/run/connman",
      "/run/netconfig", "/tmp/resolv.conf", "/tmp/resolv.conf.d",
    ]
  }

  /// The directory of the file that lists the name servers, wherever links lead.
  private static var nameServers: String {
    var path = "/etc/resolv.conf"
    for _ in 0..<8 {
      let name = path.parts(separatedBy: "/").last ?? ""
      do throws(Failure) {
        guard let target = try Directory(opening: parent(of: path)).readSymbolicLink(name) else { break }
        path = target.utf8.first == UInt8(ascii: "/") ? target : "\(parent(of: path))/\(target)"
      } catch { break }
    }
    return parent(of: path)
  }

  /// The directory that has `path`.
  private static func parent(of path: String) -> String {
    var bytes = path.utf8[...]
    while bytes.last == UInt8(ascii: "/") { bytes = bytes.dropLast() }
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == bytes.startIndex ? "/" : String(decoding: Array(bytes[..<slash]), as: UTF8.self)
  }
}
