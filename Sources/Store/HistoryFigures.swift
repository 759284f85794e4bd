/// What a run takes, in bytes: by its plan, or as it was.
package struct HistoryFigures: Equatable {
  /// On the wire, of components alone.
  package var download: UInt64
  /// Of the indexes that were made.
  package var index: UInt64
  /// Of the file system at the worst moment.
  package var peakDisk: UInt64

  package init(download: UInt64 = 0, index: UInt64 = 0, peakDisk: UInt64 = 0) {
    self.download = download
    self.index = index
    self.peakDisk = peakDisk
  }

  var words: String { "\(download) \(index) \(peakDisk)" }
}
