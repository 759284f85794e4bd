package import JSONReading
internal import Trust

/// Why a job was not done.
package enum JobError: Error, Equatable {
  /// Neither an option nor a variable says which one.
  case noIndex(path: String)
  /// The plan has fewer jobs.
  case noSuchJob(_ index: Int, path: String, count: Int)
  /// A line of the plan is not a job; `number` is counted from 1.
  case notAJob(path: String, number: Int, JobFlaw)
  /// The job is for another version of the program or of liblzma, which would make other bytes.
  case otherRecipe(path: String)
  /// The release that it is for is not the next one.
  case notNext(release: UInt64, path: String)
  /// A component is not there, or not whole.
  case noComponent(path: String)
  /// A path that a ninja file cannot hold.
  case controlCharacter(path: String)

  /// What happened, to which file, and what to do next.
  package var sentence: String {
    switch self {
    case .noIndex(let path):
      """
      No job of \(path) was chosen. Give --index, or let an engine set \
      \(JobIndex.variables.joined(separator: ", ")).
      """
    case .noSuchJob(let index, let path, count: 0):
      "\(path) has no jobs, so there is no job \(index). Make the release."
    case .noSuchJob(let index, let path, let count):
      "\(path) has the jobs 0 to \(count - 1), and no job \(index). Correct the index, such as --array=0-\(count - 1)."
    case .notAJob(let path, let number, let flaw):
      "\(path), line \(number): \(flaw.sentence). Write the file again with \"tinypublish plan\"."
    case .otherRecipe(let path):
      """
      \(path) was written by another version of tinypublish or of its libraries, which may make other bytes. Use the \
      same program on all machines.
      """
    case .notNext(let release, let path):
      "Release \(release) is not the next one of \(path). Nothing was made; write the jobs again with \"tinypublish plan\"."
    case .noComponent(let path):
      "\(path) is missing or not whole. Nothing was made; write the jobs again with \"tinypublish plan\"."
    case .controlCharacter(let path):
      "\(path.debugDescription) has a control character, which ninja does not take. Use another path."
    }
  }
}

/// What is wrong with a line that should be a job.
package enum JobFlaw: Error, Equatable {
  /// It is longer than a job, or the file ends within it.
  case notALine
  case json(JSONError)
  /// It is absent, or of another type.
  case member(String)
  /// A format of a newer program.
  case format

  var sentence: String {
    switch self {
    case .notALine: "this is not the line of a job"
    case .json(let error): error.sentence
    case .member(let name): "\"\(name)\" is missing or not valid"
    case .format: "its format is not 1, so a newer program wrote it"
    }
  }
}
