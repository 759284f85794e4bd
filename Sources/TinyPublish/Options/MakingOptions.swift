internal import ArgumentParser
internal import Catalog
internal import Publisher

/// The options that decide about payloads: equal for a plan and its release.
struct MakingOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("The repository.", valueName: "repo"), completion: .directory)
  var repository: String

  @Argument(
    help: ArgumentHelp("The map data: a directory, or an archive of it.", valueName: "dir"),
    completion: .file())
  var input: String?

  @Option(
    help: ArgumentHelp(
      "In the place of DIR: the maps of the release with this label, which the repository still has.",
      valueName: "label"))
  var again: String?

  @Option(name: .shortAndLong, help: "The label of the release, such as 2024-06-30.")
  var label: String

  @Option(
    help: ArgumentHelp("How many previous releases patches are made from, 0 to 64.", valueName: "count"))
  var patchFrom = 2

  @OptionGroup
  var machine: MachineOptions

  @Option(
    help: ArgumentHelp(
      "How many components of the previous release may be missing from DIR.", valueName: "count"))
  var allowRemoved = 0

  @Option(
    help: ArgumentHelp(
      """
      What becomes of a file of map data: plain, the file as it is; or dat, a file with a description in front. \
      (default: plain)
      """, valueName: "form"))
  var form: ComponentForm?

  @Option(
    help: ArgumentHelp(
      """
      What the names of files say, such as "eu_{country}_{group}.{ext}": {group} is the data group, {version} and {ext} play \
      no role, other names in braces are parts of the id. The repository remembers it; "none" ends that.
      """, valueName: "pattern"))
  var layout: LayoutChoice = .recorded

  @Flag(
    help: ArgumentHelp(
      """
      Let components share blocks with the files of DIR instead of copying them: on Btrfs, XFS and other file systems \
      that can do that, with DIR and REPO on the same one. Elsewhere they are copied.
      """))
  var reflink = false

  func validate() throws {
    guard (0...CatalogLimits.patches).contains(patchFrom) else {
      throw ValidationError("--patch-from takes a number from 0 to \(CatalogLimits.patches).")
    }
    guard allowRemoved >= 0 else { throw ValidationError("--allow-removed takes a number of at least 0.") }
    guard (input == nil) != (again == nil) else {
      throw ValidationError("Give either DIR or --again LABEL.")
    }
  }

  var options: Publication.Options {
    var options = machine.options
    options.patchReleases = patchFrom
    options.allowedRemovals = allowRemoved
    options.sharesInput = reflink
    options.form = form
    options.layout = layout
    return options
  }

  func publication(_ options: Publication.Options) throws(PublisherError) -> Publication {
    let input: ReleaseInput = again.map { .release($0) } ?? .files(input ?? "")
    return try Publication(of: input, label: label, in: try Repository(opening: repository), options: options)
  }
}
