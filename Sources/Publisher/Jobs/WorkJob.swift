internal import Catalog
package import Crypto
internal import JSONReading
package import MapModel
internal import Platform
internal import Trust

/// One payload to be made for the next release, wherever the repository is mounted.
///
/// A line of JSON, so that programs can read it; `docs/publishing.md` has its members.
package struct WorkJob: Equatable, Sendable {
  /// The absolute path of the repository on the machine that wrote the job.
  package let repository: String
  /// The number of the release that it is for.
  package let release: UInt64
  package let component: ComponentName
  /// Nil for the packed form.
  package let base: FileReference?
  package let new: FileReference
  /// The bytes of memory that the search for matches may take.
  package let limit: Int
  /// Where the payload comes, relative to the repository.
  package let output: String
  /// The bytes of memory that it takes, and the seconds of one processor: estimates.
  package let memory: UInt64
  package let seconds: UInt64

  /// A component that is in the repository.
  package struct FileReference: Equatable, Sendable {
    package let digest: Digest
    /// In bytes.
    package let size: UInt64

    var url: String { "components/\(digest.hex).dat" }
  }

  init(
    _ job: ComponentJob, base: ComponentJob.Base?, release: UInt64, limit: Int, in repository: String
  ) throws(PublisherError) {
    let component = job.component
    self.repository = repository
    self.release = release
    self.component = component.description.name
    self.base = base.map { FileReference(digest: $0.entry.digest, size: $0.entry.size) }
    new = FileReference(digest: component.digest, size: component.size)
    self.limit = limit
    output = try job.cache.name(job.recipe(from: base))
    let cost = JobCost(old: base?.entry.size ?? 0, new: component.size, plan: base?.plan ?? job.packing)
    (memory, seconds) = (cost.memory, cost.seconds)
  }

  /// One line of a plan.
  var text: String {
    var json = JSON()
    json.add("format", 1)
    json.add("repository", repository)
    json.add("release", release)
    json.add("id", component.id.text)
    json.add("dataGroup", component.dataGroup.text)
    json.add("path", component.path)
    if let base {
      json.add("base", base.url)
      json.add("baseSize", base.size)
    }
    json.add("new", new.url)
    json.add("newSize", new.size)
    json.add("limit", limit)
    json.add("output", output)
    json.add("memory", memory)
    json.add("seconds", seconds)
    return json.text
  }
}

/// Parsing, where nothing is taken for granted.
extension WorkJob {
  init(parsing line: [UInt8]) throws(JobFlaw) {
    let json: JSONValue
    do throws(JSONError) { json = try JSONValue(parsing: line) } catch { throw JobFlaw.json(error) }
    guard json.member("format")?.whole == 1 else { throw JobFlaw.format }
    repository = try WorkJob.text("repository", of: json)
    guard repository.hasPrefix("/") else { throw JobFlaw.member("repository") }
    release = try WorkJob.number("release", of: json)
    guard let id = PackageID(try WorkJob.text("id", of: json)) else { throw JobFlaw.member("id") }
    guard let dataGroup = DataGroup(try WorkJob.text("dataGroup", of: json)) else {
      throw JobFlaw.member("dataGroup")
    }
    guard let file = ComponentPath(try WorkJob.text("path", of: json)) else { throw JobFlaw.member("path") }
    component = ComponentName(id: id, dataGroup: dataGroup, file: file)
    base = json.member("base") == nil ? nil : try WorkJob.file("base", size: "baseSize", of: json)
    new = try WorkJob.file("new", size: "newSize", of: json)
    limit = Int(clamping: try WorkJob.number("limit", of: json))
    output = try WorkJob.text("output", of: json)
    memory = try WorkJob.number("memory", of: json)
    seconds = try WorkJob.number("seconds", of: json)
  }

  private static func text(_ name: String, of json: JSONValue) throws(JobFlaw) -> String {
    guard let text = json.member(name)?.text, !text.utf8.contains(0) else { throw JobFlaw.member(name) }
    return text
  }

  private static func number(_ name: String, of json: JSONValue) throws(JobFlaw) -> UInt64 {
    guard let number = json.member(name)?.whole.flatMap({ UInt64(exactly: $0) }) else {
      throw JobFlaw.member(name)
    }
    return number
  }

  private static func file(
    _ name: String, size: String, of json: JSONValue
  ) throws(JobFlaw) -> FileReference {
    let url = try text(name, of: json)
    guard let digest = Digest(hex: String(url.dropFirst("components/".count).prefix(64))) else {
      throw JobFlaw.member(name)
    }
    let file = FileReference(digest: digest, size: try number(size, of: json))
    guard file.url == url else { throw JobFlaw.member(name) }
    return file
  }
}
