internal import Platform
internal import Store
internal import Transport

extension Configuration {
  /// What this run may still receive; nil: there is no limit.
  ///
  /// What came today is looked up once: a run that goes on over midnight has no more of it than it began with.
  func allowance() -> DownloadAllowance? {
    guard download.perRun != nil || download.perDay != nil else { return nil }
    let perRun = download.perRun ?? .max
    guard let perDay = download.perDay else {
      return DownloadAllowance(perRun, of: .run, every: .max, note: { _ in })
    }
    let root = root
    let spent = DownloadRecord(of: Clock.today, in: root).bytes
    let today = perDay - min(perDay, spent)
    return DownloadAllowance(
      min(today, perRun), of: today < perRun ? .day : .run, every: UpdateLimits.downloadNote
    ) { bytes in
      // Read again: another process may have noted something meanwhile.
      var record = DownloadRecord(of: Clock.today, in: root)
      record.bytes = record.bytes.saturatingSum(bytes)
      // What cannot be noted is received all the same: a full disk must not keep a device from its updates.
      do throws(StoreError) { try record.write(in: root) } catch {}
    }
  }
}
