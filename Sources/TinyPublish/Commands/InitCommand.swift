internal import ArgumentParser
internal import Crypto
internal import Platform
internal import Publisher
internal import Trust

/// `tinypublish init`.
struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Make an empty repository and the keys that sign it.",
    discussion: """
      An existing repository is left as it is; any other directory must be new or empty. Keys that are already in the \
      key directory are used.

      M/N means N keys, M of which must sign.
      """)

  @Argument(help: ArgumentHelp("The directory to make.", valueName: "repo"), completion: .directory)
  var repository: String

  @OptionGroup
  var keys: KeyOptions

  @Option(help: "The type of the keys: ed25519, ecdsa or rsa.")
  var keyType = SignatureScheme.ed25519

  @Option(help: ArgumentHelp("The keys of the role root.", valueName: "m/n"))
  var root = QuorumArgument()

  @Option(help: ArgumentHelp("The keys of the role targets.", valueName: "m/n"))
  var targets = QuorumArgument()

  @Option(help: ArgumentHelp("The keys of the role snapshot.", valueName: "m/n"))
  var snapshot = QuorumArgument()

  @Option(help: ArgumentHelp("The keys of the role timestamp.", valueName: "m/n"))
  var timestamp = QuorumArgument()

  @OptionGroup
  var expiry: ExpiryOptions

  @OptionGroup
  var answers: AnswerOptions

  /// `M/N`.
  struct QuorumArgument: ExpressibleByArgument {
    let quorum: RepositorySetup.Quorum

    init() { quorum = RepositorySetup.Quorum() }

    init?(argument: String) {
      let parts = argument.parts(separatedBy: "/", limit: 2)
      guard parts.count == 2, let threshold = Int(ascii: parts[0].utf8), let keys = Int(ascii: parts[1].utf8),
        (1...32).contains(keys), (1...keys).contains(threshold)
      else { return nil }
      quorum = RepositorySetup.Quorum(threshold, of: keys)
    }

    var defaultValueDescription: String { "1/1" }
  }

  func run() throws {
    var setup = RepositorySetup(now: Clock.now)
    setup.scheme = keyType
    setup.validity = expiry.validity
    setup[.root] = root.quorum
    setup[.targets] = targets.quorum
    setup[.snapshot] = snapshot.quorum
    setup[.timestamp] = timestamp.quorum
    var reporter = answers.begin("init")
    do throws(PublisherError) {
      let store = keys.store(for: repository)
      let isNew = try Repository.initialize(repository, keys: store, setup: setup) == .made
      let made = try Repository(opening: repository)
      let list = try KeyList(of: made, in: store)
      answers.write(
        Answer.Initialization(list, of: made, isNew: isNew),
        text: isNew ? text(made, list, keys: store.path) : "\(repository) is already a repository.\n")
    } catch { throw reporter.fail(error) }
    reporter.end(.success)
  }

  private func text(_ repository: Repository, _ list: KeyList, keys: String) -> String {
    """
    \(repository.path) is now a repository without releases.

    \(list.table)
    \(MetadataView.expiry(list.served))
    The keys are in \(keys): keep a copy of it elsewhere. Those of root and targets are best kept off this machine.
    \(repository.path)/metadata/1.root.json belongs on the devices, as /usr/share/tinyupdater/root.json ("trusted_root").

    """
  }
}
