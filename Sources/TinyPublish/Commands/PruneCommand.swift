internal import ArgumentParser
internal import Platform
internal import Publisher
internal import Releases

/// `tinypublish prune`.
struct PruneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune", abstract: "Remove files that no device needs any more.",
    discussion: """
      Removes patches to releases that no device updates to any more, because a newer one is available to all of them. \
      With --keep, also withdraws older releases, and removes those of their catalogs, components and payloads that no \
      other release lists. Devices with such a release keep their maps and update to the newest one, also when they \
      install a package.

      The command can be interrupted at any time and repeated: a file is removed only when nothing that devices see \
      needs it.
      """)

  @OptionGroup
  var repository: RepositoryOptions

  @Option(
    help: ArgumentHelp(
      """
      How many of the newest releases to keep; older ones are withdrawn, except those that are still the newest for \
      some devices. (default: all)
      """, valueName: "count"))
  var keep: Int?

  @Flag(help: "Change nothing; print what would be removed.")
  var dryRun = false

  @Flag(name: .shortAndLong, help: "Print the name of every file.")
  var verbose = false

  @OptionGroup
  var answers: AnswerOptions

  func validate() throws {
    guard keep.map({ $0 >= 1 }) ?? true else { throw ValidationError("--keep takes a number of at least 1.") }
  }

  func run() throws {
    var reporter = answers.begin("prune")
    let pruning: Pruning
    do throws(PublisherError) {
      let mode = dryRun ? Pruning.Mode.dryRun : .remove
      if let keep {
        var session = try repository.session()
        pruning = try Pruning(keeping: keep, in: &session, mode: mode)
      } else {
        pruning = try Pruning(patchesOf: try Repository(opening: repository.path), mode: mode)
      }
    } catch { throw reporter.fail(error) }
    answers.write(Answer.Prune(pruning, isDryRun: dryRun, namesFiles: verbose), text: text(pruning))
    if case .pending(let missing) = pruning.outcome {
      throw reporter.pending(missing, in: repository.path)
    }
    reporter.end(.success)
  }

  private static let folders = ["catalogs", "components", "payloads"]

  private func text(_ pruning: Pruning) -> String {
    var text = ""
    for release in pruning.withdrawn {
      let waits = if case .pending = pruning.outcome { true } else { dryRun }
      text += "\(waits ? "to be withdrawn" : "withdrawn"): release \(release.number), \(release.label)\n"
    }
    if verbose { for file in pruning.files { text += "\(file.name)  \(Output.size(file.size))\n" } }
    for folder in PruneCommand.folders {
      let sizes = pruning.files.filter { $0.folder == folder }.map(\.size)
      guard !sizes.isEmpty else { continue }
      text += "\(sizes.count) \(folder), \(ByteCount(sizes.reduce(0, +)).text)\n"
    }
    if pruning.files.isEmpty { return text + "Nothing to remove.\n" }
    let all = Output.size(pruning.files.reduce(0) { $0 + $1.size })
    return text + (dryRun ? "\(all) would be removed.\n" : "\(all) removed.\n")
  }
}
