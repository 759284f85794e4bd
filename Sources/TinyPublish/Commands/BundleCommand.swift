internal import ArgumentParser
internal import JSONCoding
internal import MapModel
internal import Platform
internal import Publisher
internal import Releases

/// `tinypublish bundle`.
struct BundleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bundle", abstract: "Put what devices need into one archive, for a stick or a factory.",
    discussion: """
      Without --from, the bundle has what a device without maps needs to install them ("tinyupdater provision"). With \
      --from, it has what devices at those releases need to update ("tinyupdater apply --from").

      A device checks a bundle like a server's files, so that it needs no protection of its own. It is usable until the \
      first of its signatures expires, which is printed.

      A bundle is a repository: the same files in the same directories. The same repository and options give the same \
      bytes.
      """)

  @Argument(help: ArgumentHelp("The repository.", valueName: "repo"), completion: .directory)
  var repository: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Where to write it: a name that ends in .tar, a new directory, or - for standard output.",
      valueName: "file"),
    completion: .file())
  var output: String

  @Option(help: ArgumentHelp("The release that devices get. (default: the newest)", valueName: "release"))
  var release: String?

  @Option(
    name: .customLong("for"), parsing: .upToNextOption,
    help: ArgumentHelp("Packages, and regions for all packages in them. (default: all)", valueName: "id"))
  var packages: [String] = []

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Data groups; base is always there. (default: all)", valueName: "group"))
  var groups: [String] = []

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Releases of the devices that are to be updated.", valueName: "release"))
  var from: [String] = []

  @OptionGroup
  var answers: AnswerOptions

  func validate() throws {
    if answers.json && output == "-" {
      throw ValidationError("--json and the bundle cannot both go to standard output.")
    }
    _ = try request()
  }

  private func request() throws -> BundleRequest {
    var request = BundleRequest()
    request.release = try release.map { try name($0) }
    request.from = try from.map { try name($0) }
    request.packages = try packages.map {
      guard let id = PackageID($0) else {
        throw ValidationError("\"\($0)\" is not an id of a package or region.")
      }
      return id
    }
    request.groups = try groups.map {
      guard let group = DataGroup($0) else { throw ValidationError("\"\($0)\" is not a data group.") }
      return group
    }
    return request
  }

  private func name(_ text: String) throws -> ReleaseName {
    guard let name = ReleaseName(text) else {
      throw ValidationError("\"\(text)\" is neither a label nor a number of a release.")
    }
    return name
  }

  func run() throws {
    let request = try request()
    var reporter = answers.begin("bundle")
    do throws(PublisherError) {
      let place = try BundleContents.Place(output)
      let repository = try Repository(opening: repository)
      let contents = try BundleContents(of: repository, for: request)
      try contents.write(to: place, from: repository) { done, name in
        reporter.show(.bundling(name, done: done, total: contents.size))
      }
      reporter.show(.bundled(contents, path: output))
      if answers.json { Answer.write(Joined(Answer.Format(), ProgressLines.Bundle(contents, path: output))) }
    } catch { throw reporter.fail(error) }
    reporter.end(.success)
  }
}
