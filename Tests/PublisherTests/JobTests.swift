import Crypto
import MapModel
import Platform
import TestSupport
import Testing
import Trust

@testable import Catalog
@testable import Publisher

/// The work of a release as jobs, done anywhere.
@Suite("Jobs")
struct JobTests {
  private let scratch: TestRepository
  private let whole: TestRepository

  init() throws {
    scratch = try TestRepository()
    whole = try TestRepository()
  }

  private var file: String { "\(scratch.path)/jobs" }

  /// A release of each, and an input for the second one with a component that neither packs nor has a patch.
  private func begin() async throws {
    for scratch in [scratch, whole] {
      try Maps.write(to: scratch)
      try await scratch.release("1")
      try Maps.write(to: scratch) { Maps.changed($0) }
      var generator = SeededGenerator(7)
      let noise = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &generator) }
      try scratch.write("europe/malta/noise.bin", noise)
    }
  }

  @discardableResult
  private func plan(_ label: String = "2", memory: Int = .max) async throws -> JobList {
    var options = Publication.Options { TestRepository.now }
    options.memory = memory
    let publication = try Publication(
      of: .files(scratch.input), label: label, in: try Repository(opening: scratch.repository),
      options: options)
    let plan = try await publication.jobList()
    try plan.write(to: OutputPath(file: file, inputs: []), ninja: nil)
    return plan
  }

  private func work(_ index: Int, waitingFor limit: UInt64 = 0) throws -> JobRun.Outcome {
    try JobRun(try JobFile.job(index, of: file), of: file).run(waitingFor: limit)
  }

  @Test("a release of what jobs made is the same, byte for byte, and makes nothing itself")
  func same() async throws {
    try await begin()
    let plan = try await plan()
    // Two changed components, each packed and patched, and a new one.
    #expect(plan.jobs.count == 5)
    #expect(plan.jobs.count { $0.base == nil } == 3)
    #expect(plan.jobs.map(\.seconds) == plan.jobs.map(\.seconds).sorted(by: >))
    var outcomes: [JobRun.Outcome] = []
    for index in plan.jobs.indices.reversed() { outcomes.append(try work(index)) }
    #expect(outcomes.count { $0 == .notWorthwhile } == 1)
    #expect(try await self.plan().jobs == [])
    let report = try await scratch.release("2")
    #expect(report.components.allSatisfy { $0.plan == nil })
    try await whole.release("2")
    #expect(try scratch.tree() == whole.tree())
    #expect(try scratch.problems() == [])
  }

  @Test("a plan writes components and changes nothing that devices see")
  func planned() async throws {
    try await begin()
    let before = try scratch.tree()
    let plan = try await plan()
    let after = try scratch.tree()
    #expect(before.allSatisfy { after[$0.key] == $0.value })
    #expect(after.keys.filter { before[$0] == nil }.sorted() == Set(plan.jobs.map(\.new.url)).sorted())
    #expect(try !names(scratch.repository).contains(".work"))
  }

  @Test("the release makes whatever a lost job did not, and uses the payloads of the others")
  func lost() async throws {
    try await begin()
    for index in try await plan().jobs.indices where index != 1 { _ = try work(index) }
    let report = try await scratch.release("2")
    #expect(report.components.count { $0.plan != nil } == 1)
    try await whole.release("2")
    #expect(try scratch.tree() == whole.tree())
  }

  @Test("a job that is given again does nothing, and mends what was damaged meanwhile")
  func repeated() async throws {
    try await begin()
    let jobs = try await plan().jobs
    for index in jobs.indices {
      let outcome = try work(index)
      let bytes = try scratch.served(jobs[index].output)
      let file = try Directory(opening: scratch.repository).identity(of: jobs[index].output)
      let again = try work(index)
      guard case .made(let size) = outcome else {
        #expect(outcome == .notWorthwhile && again == outcome)
        continue
      }
      #expect(again == .there(size: size) && size == UInt64(bytes.count))
      #expect(try Directory(opening: scratch.repository).identity(of: jobs[index].output) == file)
      for damaged in [Array(bytes.dropLast()) + [bytes[bytes.count - 1] ^ 1], Array(bytes.prefix(20)), []] {
        try scratch.write(jobs[index].output, damaged, in: "repository")
        #expect(try work(index) == outcome)
        #expect(try scratch.served(jobs[index].output) == bytes)
      }
    }
  }

  @Test("a payload that is damaged after its job is made again by the release")
  func damaged() async throws {
    try await begin()
    let jobs = try await plan().jobs
    for index in jobs.indices {
      _ = try work(index)
      var bytes = try scratch.served(jobs[index].output)
      bytes[bytes.count - 1] ^= 1
      try scratch.write(jobs[index].output, bytes, in: "repository")
    }
    try await scratch.release("2")
    try await whole.release("2")
    #expect(try scratch.tree() == whole.tree())
  }

  @Test("the same job can be done by several at a time")
  func together() async throws {
    try await begin()
    let jobs = try await plan().jobs
    let file = file
    let indices = jobs.indices.flatMap { [$0, $0, $0] }
    _ = try await WorkerPool.run(indices, jobs: 6) { (index) throws(PublisherError) in
      try JobRun(try JobFile.job(index, of: file), of: file).run(waitingFor: 0)
    }
    #expect(try names("\(scratch.repository)/.work") == [])
    try await scratch.release("2")
    try await whole.release("2")
    #expect(try scratch.tree() == whole.tree())
  }

  @Test("a plan with another memory limit is for other payloads only if it searches in another way")
  func memory() async throws {
    try await begin()
    for index in try await plan(memory: 1 << 26).jobs.indices { _ = try work(index) }
    let jobs = try await plan(memory: 5 << 30).jobs
    #expect(jobs.count == 5)
    for index in jobs.indices { _ = try work(index) }
    // Without a limit nothing is searched that is not with this one.
    let report = try await scratch.release("2")
    #expect(report.components.allSatisfy { $0.plan == nil })
    try await whole.release("2")
    #expect(try scratch.tree() == whole.tree())
  }

  @Test("no release and no pruning begins while a job is done, and no job while a release is made")
  func exclusion() async throws {
    try await begin()
    try await plan()
    let repository = try Repository(opening: scratch.repository)
    let busy = PublisherError.repository(.busy(path: scratch.repository))
    let worker = try RepositoryLock(.payloads, of: repository.open(), .shared)
    #expect(await scratch.refusal("2") == busy)
    #expect(throws: busy) { _ = try Pruning(patchesOf: repository, mode: .remove) }
    _ = try work(0)
    // A command that changes metadata leaves the unfinished files of workers alone.
    try scratch.write("unfinished", [1], in: "repository/.work")
    var session = try scratch.session()
    _ = try session.renew(.timestamp)
    _ = consume session
    #expect(try names("\(scratch.repository)/.work") == ["unfinished"])
    _ = consume worker
    let release = try RepositoryLock(.payloads, of: repository.open())
    #expect(throws: busy) { _ = try work(1) }
    _ = consume release
    #expect(try await scratch.release("2").outcome == .published)
    #expect(try !names(scratch.repository).contains(".work"))
  }

  @Test("a job whose component or base is missing or damaged makes nothing, and says so")
  func component() async throws {
    try await begin()
    let jobs = try await plan().jobs
    let index = try #require(jobs.firstIndex { $0.base != nil })
    let files = [jobs[index].new.url, try #require(jobs[index].base).url]
    for url in files {
      let bytes = try scratch.served(url)
      for damaged in [[UInt8](repeating: 0, count: bytes.count), Array(bytes.dropLast()), nil] {
        try Directory(opening: scratch.repository).remove(url)
        if let damaged { try scratch.write(url, damaged, in: "repository") }
        #expect(throws: PublisherError.job(.noComponent(path: "\(scratch.repository)/\(url)"))) {
          _ = try work(index)
        }
      }
      try scratch.write(url, bytes, in: "repository")
    }
    #expect(try names("\(scratch.repository)/.work") == [])
    #expect(try !scratch.tree().keys.contains(jobs[index].output))
  }

  @Test("a job for a release that has been made meanwhile is refused")
  func outdated() async throws {
    try await begin()
    try await plan()
    try await scratch.release("2")
    #expect(throws: PublisherError.job(.notNext(release: 2, path: scratch.repository))) { _ = try work(0) }
  }

  @Test("a job is done where the repository is mounted under another path")
  func mounted() async throws {
    try await begin()
    let job = try #require(try await plan().jobs.first { $0.base != nil })
    let other = "\(scratch.path)/elsewhere"
    try File.rename(scratch.repository, to: other)
    #expect(throws: PublisherError.repository(.notARepository(path: scratch.repository))) {
      _ = try JobRun(job, of: file)
    }
    guard case .made = try JobRun(job, of: file, in: other).run() else {
      Issue.record("nothing was made")
      return
    }
    try File.rename(other, to: scratch.repository)
    #expect(try scratch.tree().keys.contains(job.output))
  }

  // MARK: - The file

  @Test("a job is the same when it is read again")
  func read() async throws {
    try await begin()
    let jobs = try await plan().jobs
    for (index, job) in jobs.enumerated() { #expect(try JobFile.job(index, of: file) == job) }
    #expect(throws: PublisherError.job(.noSuchJob(5, path: file, count: 5))) {
      _ = try JobFile.job(5, of: file)
    }
  }

  @Test("a line that is cut anywhere, or has another value, is refused or is a job that is refused")
  func hostile() async throws {
    try await begin()
    let job = try #require(try await plan().jobs.first { $0.base != nil })
    let line = Array(job.text.utf8)
    for count in 0..<line.count {
      #expect(throws: JobFlaw.self) { try WorkJob(parsing: Array(line.prefix(count))) }
    }
    let changes: [(String, String, String)] = [
      ("\"format\":1", "\"format\":2", "format"), ("\"repository\":\"/", "\"repository\":\"", "repository"),
      ("components/", "components/../", "base"), ("components/", "metadata/", "base"),
      ("\"new\":\"components", "\"new\":\"/components", "new"), ("\"newSize\":", "\"newSize\":-", "newSize"),
      ("\"limit\":", "\"limit\":-", "limit"), ("\"dataGroup\":\"", "\"dataGroup\":\"a b", "dataGroup"),
      (".dat\",\"newSize", ".dat/..\",\"newSize", "new"), ("\"id\":\"", "\"id\":\"../", "id"),
      ("\"seconds\":", "\"seconds\":[],\"x\":", "seconds"),
    ]
    for (old, new, member) in changes {
      var text = job.text
      text.replaceSubrange(try #require(text.firstRange(of: old)), with: new)
      let flaw: JobFlaw = member == "format" ? .format : .member(member)
      #expect(throws: flaw) { try WorkJob(parsing: Array(text.utf8)) }
    }
    // A job never writes elsewhere: the name follows from its files.
    for output in ["/etc/passwd", "../x", ".made/2/x"] {
      try scratch.write("jobs", "\(job.text.replacing(job.output, with: output))\n")
      let path = "\(scratch.input)/jobs"
      #expect(throws: PublisherError.job(.otherRecipe(path: path))) {
        try JobRun(try JobFile.job(0, of: path), of: path).run(waitingFor: 0)
      }
    }
  }

  @Test("a file that is not a plan is refused at the line that shows it")
  func foreign() throws {
    try scratch.write("jobs", "{}\n\(String(repeating: "x", count: 100_000))\n{}\n{\"format\":1}")
    let path = "\(scratch.input)/jobs"
    #expect(throws: PublisherError.job(.notAJob(path: path, number: 1, .format))) {
      try JobFile.job(0, of: path)
    }
    #expect(throws: PublisherError.job(.notAJob(path: path, number: 2, .notALine))) {
      try JobFile.job(2, of: path)
    }
    try scratch.write("jobs", "{}\n{\"format\":1}")
    #expect(throws: PublisherError.job(.notAJob(path: path, number: 2, .notALine))) {
      try JobFile.job(1, of: path)
    }
    try scratch.write("jobs", "")
    #expect(throws: PublisherError.job(.noSuchJob(0, path: path, count: 0))) { try JobFile.job(0, of: path) }
  }

  @Test(
    "the first variable of an engine says which job is done",
    arguments: [
      ([:], nil), (["SLURM_ARRAY_TASK_ID": "3"], 3), (["JOB_COMPLETION_INDEX": "0"], 0),
      (["AWS_BATCH_JOB_ARRAY_INDEX": "12"], 12),
      (["SLURM_ARRAY_TASK_ID": "3", "JOB_COMPLETION_INDEX": "4"], 3),
      (["SLURM_ARRAY_TASK_ID": "-3", "JOB_COMPLETION_INDEX": "4"], nil),
      (["JOB_COMPLETION_INDEX": "1x"], nil),
      (["JOB_COMPLETION_INDEX": "99999999999999999999"], nil),
    ] as [([String: String], Int?)])
  func index(variables: [String: String], index: Int?) {
    #expect(JobIndex.fromEnvironment { variables[$0] } == index)
  }

  @Test("the file for ninja names each payload, and takes paths with any character but line feeds")
  func ninja() async throws {
    try await begin()
    let plan = try await plan(memory: 4 << 30)
    let output = try OutputPath(file: "\(scratch.repository).ninja", inputs: [])
    let text = try NinjaFile(output, program: "/a b/it's").text(of: plan, in: "/$x/jobs")
    #expect(text.contains("  command = '/a b/it'\\''s' 'work' '/$$x/jobs' --quiet --index $index\n"))
    #expect(text.contains("repository = \(scratch.repository)\n"))
    for (index, job) in plan.jobs.enumerated() {
      #expect(text.contains("build ${repository}/\(job.output): payload\n  index = \(index)\n"))
    }
    #expect(throws: PublisherError.job(.controlCharacter(path: "/a\n"))) {
      try NinjaFile(output, program: "/a\n").text(of: plan, in: "jobs")
    }
  }
}
