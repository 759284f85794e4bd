package import Platform

extension Store {
  /// The packages that nobody has asked for.
  ///
  /// None where the file is missing or damaged: then all that is installed counts as asked for.
  package func areaRecord() throws(Failure) -> AreaRecord { try AreaRecord(in: root) ?? AreaRecord() }

  /// The same for who only shows it: none where the file cannot be read, too.
  package func shownAreaRecord() -> AreaRecord {
    do throws(Failure) { return try areaRecord() } catch { return AreaRecord() }
  }

  /// Opens the directory that says where the device is, with the lock of its files, and makes it where it is missing.
  ///
  /// Throws `busy` while another process has it.
  package static func openArea(_ path: String) throws(Failure) -> Directory {
    let root = try Directory(making: path)
    try root.makeDirectory("area")
    let area = try root.openDirectory("area")
    do throws(Failure) { try area.lock(.exclusive) } catch {
      throw error.errno == .wouldBlock ? .busy(path: area.path) : error
    }
    return area
  }

  /// Opens it for a look; nil if there is none.
  package static func lookAtArea(_ path: String) throws(Failure) -> Directory? {
    try openCache("area", in: path)
  }
}

extension LockedStore {
  /// Changes what is known of the packages that nobody has asked for: power loss leaves the old record or the new one.
  ///
  /// Writes nothing if nothing changes: flash wears.
  package func changeAreaRecord(_ body: (inout AreaRecord) -> Void) throws(Failure) {
    let old = try reading.areaRecord()
    var new = old
    body(&new)
    if new != old { try replaceAreaRecord(with: new) }
  }

  /// Writes it anew, whatever is there.
  package func replaceAreaRecord(with record: AreaRecord) throws(Failure) {
    try reading.root.makeDirectory("area")
    try replace(AreaRecord.fileName, with: try record.bytes())
  }
}
