internal import Platform
internal import Store
internal import Transport
internal import Trust

extension Configuration {
  /// What this run may still receive; nil: there is no limit.
  ///
  /// What came today is looked up once: a run that goes on over midnight has no more of it than it began with.
  func allowance() throws(Failure) -> DownloadAllowance? {
    guard download.perRun != nil || download.perDay != nil else { return nil }
    let perRun = download.perRun ?? .max
    guard let perDay = download.perDay else {
      return DownloadAllowance(perRun, of: .run, every: .max, note: { _ in })
    }
    let root = root
    // A confined process asks neither again.
    let (floor, start) = (try timeFloor(), ThisProcess.systemStart)
    func moment() -> DownloadRecord.Moment {
      .init(clock: Clock.now, floor: floor, start: start, uptime: Clock.uptime)
    }
    let spent = DownloadRecord(at: moment(), in: root).bytes
    let today = perDay - min(perDay, spent)
    return DownloadAllowance(
      min(today, perRun), of: today < perRun ? .day : .run, every: UpdateLimits.downloadNote
    ) { bytes in
      // Read again: another process may have noted something meanwhile.
      let now = moment()
      var record = DownloadRecord(at: now, in: root)
      record.add(bytes, at: now)
      // What cannot be noted is received all the same: a full disk must not keep a device from its updates.
      do throws(Failure) { try record.write(in: root) } catch {}
    }
  }

  /// Seconds since 1970 that it must be by now, whatever the clock says.
  private func timeFloor() throws(Failure) -> Int64 {
    guard let directory = try Store.lookAtTrust(root) else { return productTime }
    let metadata = MetadataDirectory(reading: directory)
    return try wrap(trust: metadata.startTime(.floor, clock: 0, built: productTime))
  }
}
