package import MapModel
package import Platform
internal import Releases

/// The missing payloads of the next release, as independent jobs.
package struct JobList: Sendable {
  package let release: Release
  /// The longest first.
  package let jobs: [WorkJob]
  /// The memory that the jobs on one machine may take together, in bytes.
  package let memory: Int

  /// Of all jobs, on one processor: an estimate.
  package var seconds: UInt64 { jobs.reduce(0) { $0.saturatingSum($1.seconds) } }
  /// Of the job that takes most, in bytes.
  package var largestMemory: UInt64 { jobs.map(\.memory).max() ?? 0 }
  /// Of the new files, each as often as a payload is made for it.
  package var size: UInt64 { jobs.reduce(0) { $0.saturatingSum($1.new.size) } }

  /// Writes the jobs to `output`, one on each line, and to `ninja` a file that has ninja do them.
  package func write(to output: OutputPath, ninja: NinjaFile?) throws(PublisherError) {
    if let ninja { try JobFile.replace(ninja.output, with: try ninja.text(of: self, in: output.path)) }
    try JobFile.write(jobs, to: output)
  }
}

extension Publication {
  /// Writes the components of the release, and lists the payloads that are missing.
  ///
  /// 1. Lock the payloads, read the input and compare it, as for a release.
  /// 2. Write the components: jobs need no input, and it does not matter if that changes meanwhile.
  /// 3. Find the payloads that are neither there nor known not to be worthwhile.
  /// 4. Flush the file system, and remember which components the input made.
  package func jobList(
    _ observe: (ReleaseEvent) -> Void = { _ in }
  ) async throws(PublisherError) -> JobList {
    try await locked { (directory) throws(PublisherError) in
      let served = try Publication.releases(of: repository)
      let prepared = try await prepare(directory, after: served, observe: observe)
      let isSharing = try checkSpace(prepared, in: directory).isSharing
      try Workspace.make(directory)
      try PayloadCache.clean(directory, next: prepared.release.number)
      let path = try PathParts.absolute(repository.path)
      let (release, memory) = (prepared.release, options.memory)
      let jobs = try await WorkerPool.run(prepared.jobs, jobs: options.jobs) { (job) throws(PublisherError) in
        let workspace = try Workspace(job.repository)
        try workspace.store(job.component, isSharing: isSharing)
        return try job.missing().map { (base) throws(PublisherError) in
          try WorkJob(job, base: base, release: release.number, limit: memory, in: path)
        }
      }
      // The release has to read neither the input nor the components once more.
      if prepared.hasFolder {
        try onFile { () throws(Failure) in
          try directory.synchronizeFileSystem()
          try KnownInputs.replace(by: prepared.hashed, in: directory)
        }
      }
      let longestFirst = jobs.joined().sorted { ($1.seconds, $0.output) < ($0.seconds, $1.output) }
      return JobList(release: release, jobs: longestFirst, memory: memory)
    }
  }

  /// The releases before the next one, including those that wait for signatures.
  static func releases(of repository: Repository) throws(PublisherError) -> [ServedRelease] {
    if let pending = try PendingFiles(of: repository).releases() { return pending }
    return try repository.releases()
  }
}
