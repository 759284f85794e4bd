package import Platform

/// What the health command writes, for as long as it runs: `health.log`.
extension LockedStore {
  private static var healthLog: String { "health.log" }

  /// Opens an empty file for the messages of the health command.
  package func openHealthLog() throws(Failure) -> File {
    try reading.root.removeTree(LockedStore.healthLog)
    return try reading.root.open(LockedStore.healthLog, to: .append)
  }

  /// Its last bytes, at most `limit` of them; the file is removed.
  package func takeHealthLog(upTo limit: UInt64) throws(Failure) -> [UInt8] {
    let file = try reading.root.open(LockedStore.healthLog)
    try reading.root.remove(LockedStore.healthLog)
    let size = try file.size()
    try file.seek(to: size - min(size, limit))
    return try file.bytes(upTo: limit)
  }
}
