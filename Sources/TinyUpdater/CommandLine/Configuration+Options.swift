internal import Platform
internal import Updater

extension Configuration {
  /// The defaults, overridden by the configuration file, overridden by the command line.
  init(_ invocation: Invocation) throws(Failure) {
    do throws(ConfigurationError) {
      self.init()
      if let path = invocation.value(of: .config) {
        self = try .read(path)
      } else if try Configuration.exists(Configuration.defaultPath) {
        self = try .read(Configuration.defaultPath)
      }
      // It is asked instead of those in the file, not beside them.
      if invocation.value(of: .repository) != nil { (mirrors, depots) = ([], []) }
      if let url = invocation.value(of: .repository), let flaw = set("repository", to: url) {
        throw .option("--repository", flaw)
      }
      // Unlike in the file, it may be a relative one: a shell has a directory that it means.
      if let path = invocation.value(of: .root) {
        guard !path.isEmpty else { throw .option("--root", .badValue(.root, path)) }
        root = path
      }
      if let path = invocation.value(of: .trustedRoot) { trustedRoot = path }
      bundle = invocation.value(of: .from)
    } catch { throw .configuration(sentence: error.sentence) }
  }
}
