internal import MapModel
package import Platform

/// A file for ninja, which does all jobs on one machine.
///
/// Outputs are the payloads themselves, or the notes in their place, so ninja only runs what is missing.
package struct NinjaFile {
  let output: OutputPath
  /// The program of the jobs.
  private let program: String

  /// - `program`: the path of `tinypublish`.
  package init(_ output: OutputPath, program: String) {
    self.output = output
    self.program = program
  }

  /// - `jobs`: the path of the file of the plan.
  func text(of list: JobList, in jobs: String) throws(PublisherError) -> String {
    let words = [program, "work", try PathParts.absolute(jobs)]
    for word in words + list.jobs.prefix(1).map(\.repository)
    where word.unicodeScalars.contains(where: \.isControl) {
      throw .job(.controlCharacter(path: word))
    }
    var text = """
      # \(list.jobs.count) payloads of release \(list.release.number), \(list.release.label)
      ninja_required_version = 1.5
      repository = \(NinjaFile.value(list.jobs.first?.repository ?? ""))
      pool large
        depth = \(depth(list, isLarge: true))
      pool small
        depth = \(depth(list, isLarge: false))
      rule payload
        command = \(NinjaFile.value(words.map(NinjaFile.shellWord).joined(separator: " "))) --quiet --index $index
        description = $title

      """
    for (index, job) in list.jobs.enumerated() {
      // In a variable, for a path cannot hold all characters itself.
      text += """
        build ${repository}/\(job.output): payload
          index = \(index)
          pool = \(isLarge(job, list) ? "large" : "small")
          title = \(NinjaFile.value(title(job)))

        """
    }
    return text
  }

  /// Half of the memory is for each of two pools, so that one large component does not keep all small ones waiting.
  private func depth(_ list: JobList, isLarge: Bool) -> Int {
    let largest = list.jobs.filter { self.isLarge($0, list) == isLarge }.map(\.memory).max() ?? 1
    return max(Int(clamping: UInt64(list.memory / 2) / max(largest, 1)), 1)
  }

  private func isLarge(_ job: WorkJob, _ list: JobList) -> Bool { job.memory > UInt64(list.memory / 16) }

  private func title(_ job: WorkJob) -> String {
    "\(job.component.path): \(job.base == nil ? "packed" : "patch"), \(job.seconds) s"
  }

  /// One word of a command line for `sh`.
  static func shellWord(_ word: String) -> String {
    "'" + word.parts(separatedBy: "'", limit: .max).joined(separator: "'\\''") + "'"
  }

  /// A text as the value of a variable.
  static func value(_ text: String) -> String {
    text.parts(separatedBy: "$", limit: .max).joined(separator: "$$")
  }
}
