internal import Platform

/// The file of a plan: a job on each line (JSON Lines), the longest first.
package enum JobFile {
  /// Writes the jobs; when this returns, the file is durable.
  static func write(_ jobs: [WorkJob], to output: OutputPath) throws(PublisherError) {
    try replace(output, with: jobs.reduce(into: "") { $0 += $1.text + "\n" })
  }

  /// Replaces a text file as a whole.
  static func replace(_ output: OutputPath, with text: String) throws(PublisherError) {
    try onFile { () throws(Failure) in
      let file = try OutputFile(output)
      try file.file.write(text)
      try file.complete()
    }
  }

  /// Reads the job of an index, counted from 0; other lines are not looked at.
  package static func job(_ index: Int, of path: String) throws(PublisherError) -> WorkJob {
    let file = try onFile { () throws(Failure) in try File(opening: path) }
    var lines = LineReader(file, limit: PublisherLimits.jobLine)
    var count = 0
    while let line = try onFile({ () throws(Failure) in try lines.next() }) {
      guard line.isWhole, count < PublisherLimits.jobs else {
        throw .job(.notAJob(path: path, number: lines.number, .notALine))
      }
      if count == index {
        do throws(JobFlaw) { return try WorkJob(parsing: line.bytes) } catch {
          throw .job(.notAJob(path: path, number: lines.number, error))
        }
      }
      count += 1
    }
    throw .job(.noSuchJob(index, path: path, count: count))
  }
}
