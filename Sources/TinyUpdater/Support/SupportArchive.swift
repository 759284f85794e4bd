internal import Platform
internal import Store
internal import Updater

/// Collects what helps to find out what is wrong with a device, in one tar archive without secrets.
///
/// It reads what it can of a store that is damaged, and says in `README` what it could not.
struct SupportArchive: ~Copyable {
  private var tar: TarWriter
  private(set) var unreadable: [String] = []

  /// Bytes that are taken of a file, from its end: a tar archive of all of them stays below 2 MiB.
  private static var maximumPart: UInt64 { 192 << 10 }

  init(_ tar: consuming TarWriter) { self.tar = tar }

  /// Adds what the kernel says of this system, which a confined process cannot ask.
  mutating func addSystem() throws(Failure) {
    for (name, path) in [
      ("system/version", "/proc/version"), ("system/memory", "/proc/meminfo"),
      ("system/uptime", "/proc/uptime"),
      ("system/mounts", "/proc/self/mounts"), ("system/limits", "/proc/self/limits"),
      ("system/os-release", "/usr/lib/os-release"),
    ] {
      try addFile(path, as: name)
    }
  }

  /// Adds the file of the configuration.
  mutating func addConfiguration(_ path: String) throws(Failure) {
    try collect("tinyupdater.conf") { () throws(Failure) in
      // It may be a link.
      SecretFilter.filter(settings: try SupportArchive.end(of: try File(opening: path)))
    }
  }

  /// Adds what the log and the store say.
  mutating func addStore(_ configuration: Configuration) throws(Failure) {
    let root = configuration.root
    if case .file(let path) = configuration.log.destination {
      try addFileIfThere(path + ".1", as: "log.1")
      try addFile(path, as: "log")
    }
    try addFileIfThere("\(root)/events.old", as: "events.old")
    try addFile("\(root)/events", as: "events")
    try collect("history") { () throws(Failure) in
      var text = ""
      try History(opening: root).forEachEntry { text += $0.json.text + "\n" }
      return text
    }
    try collect("status.json") { () throws(Failure) in
      var facts = try StatusFacts(configuration, confinedBy: Confinement.measures)
      // Where the device is, is nobody's business.
      facts.area = nil
      var json = JSON()
      facts.write(to: &json)
      return json.text + "\n"
    }
    try collect("files") { () throws(Failure) in try SupportArchive.files(of: root) }
  }

  /// Adds what could not be read, and ends the archive; its size in bytes.
  consuming func finish(_ configuration: Configuration) throws(Failure) -> (
    size: UInt64, unreadable: [String]
  ) {
    var text = "tinyupdater \(productVersion), \(Clock.timestamp(Clock.now)), store \(configuration.root)\n"
    text +=
      "Without passwords, tokens, arguments of commands, queries of URLs, and the position of the device; packages are named.\n"
    for sentence in unreadable { text += "not read: \(sentence)\n" }
    try tar.append("README", Array(text.utf8))
    let unreadable = unreadable
    return (try tar.finish(), unreadable)
  }

  /// What lies in the store and in its directories, with sizes.
  private static func files(of root: String) throws(Failure) -> String {
    var (text, count) = ("", 0)
    func list(_ directory: borrowing Directory, as prefix: String) throws(Failure) {
      try directory.forEachName { (name) throws(Failure) in
        guard count < 2000, let status = try directory.status(of: name) else { return }
        count += 1
        text += "\(status.kind == .directory ? "d" : "-") \(status.size) \(prefix)\(name.escapingControls)\n"
      }
    }
    let store = try Directory(opening: root)
    try list(store, as: "")
    for name in ["generations", "staging", "queue", "trust", "catalogs", "in-place", "area"] {
      guard try store.status(of: name)?.kind == .directory else { continue }
      try list(store.openDirectory(name), as: "\(name)/")
    }
    return text
  }

  /// Adds the end of a file; that it is missing says nothing.
  private mutating func addFileIfThere(_ path: String, as name: String) throws(Failure) {
    if Directory.isThere(path) { try addFile(path, as: name) }
  }

  /// Adds the end of a file.
  private mutating func addFile(_ path: String, as name: String) throws(Failure) {
    try collect(name) { () throws(Failure) in
      let (folder, file) = path.folderAndName
      // Neither a link nor a pipe with its name is followed or waited for.
      return try SupportArchive.end(of: try Directory(opening: folder).open(file))
    }
  }

  private static func end(of file: consuming File) throws(Failure) -> String {
    let size = try file.size()
    if size > maximumPart { try file.seek(to: size - maximumPart) }
    return String(decoding: try file.bytes(upTo: maximumPart), as: UTF8.self)
  }

  /// Adds a text without its secrets, if it can be had.
  private mutating func collect(_ name: String, _ content: () throws(Failure) -> String) throws(Failure) {
    let text: String
    do throws(Failure) { text = try content() } catch {
      unreadable.append("\(name): \(error.cause)")
      return
    }
    try tar.append(name, Array(SecretFilter.filter(text).utf8))
  }
}
