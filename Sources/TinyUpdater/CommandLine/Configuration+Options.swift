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
      for option in [CommandOption.root, .repository] {
        guard let value = invocation.value(of: option) else { continue }
        if let flaw = set(option.name, to: value) { throw .option("--\(option.name)", flaw) }
      }
      if let path = invocation.value(of: .trustedRoot) { trustedRoot = path }
      bundle = invocation.value(of: .from)
    } catch { throw .configuration(sentence: error.sentence) }
  }
}
