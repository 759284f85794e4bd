internal import JSONCoding
internal import Platform
internal import Releases

/// Where a repository was pushed last, and what.
///
/// It is a line of JSON in `.pushed` in the repository, which is in no copy of it, and may be removed at any time.
package struct PushRecord: Codable, Equatable, Sendable {
  private var format: UInt64 = PushRecord.format
  /// The destination, without what may be secret in it.
  package let destination: String
  /// When everything was there, as a timestamp.
  package let time: String
  /// The version of the timestamp that is there.
  package let timestamp: UInt64
  /// The newest release that is there; nil without releases.
  package let release: UInt64?
  package let label: String?

  private static var format: UInt64 { 1 }
  private static var name: String { ".pushed" }

  /// - `now`: in seconds since 1970.
  package init(_ report: Push.Report, to place: Destination, now: Int64) {
    (destination, time, timestamp) = (place.shown, Clock.timestamp(now), report.timestamp)
    (release, label) = (report.release?.number, report.release?.label)
  }

  /// Takes the place of the record of the push before.
  package func write(to repository: Repository) throws(PublisherError) {
    let directory = try repository.open()
    // Several processes may push at a time, without a lock.
    let unfinished = "\(PushRecord.name).\(UInt64.random(in: 0 ... .max)).new"
    try onFile { () throws(Failure) in
      try directory.replace(
        PushRecord.name, with: Array("\(JSONLine.text(self))\n".utf8), through: unfinished)
    }
  }

  /// What a repository says of its last push.
  package enum Last: Equatable, Sendable {
    case unknown
    case known(PushRecord)
    /// The file at that path is not such a record.
    case damaged(path: String)
  }

  static func last(of repository: borrowing Directory) throws(PublisherError) -> Last {
    let status = try onFile { () throws(Failure) in try repository.status(of: name) }
    guard let status else { return .unknown }
    let limit = PublisherLimits.pushRecord
    if status.kind == .file, status.size <= limit {
      let bytes = try onFile { () throws(Failure) in try repository.open(name).bytes(upTo: limit) }
      do throws(JSONLine.Flaw) {
        let record = try JSONLine.value(PushRecord.self, parsing: bytes)
        if record.format == format, Clock.seconds(ofTimestamp: record.time) != nil { return .known(record) }
      } catch {}
    }
    return .damaged(path: "\(repository.path)/\(name)")
  }
}
