internal import ArgumentParser
internal import Publisher
internal import Trust

/// A role on the command line.
extension Root.TopLevel: ExpressibleByArgument {
  /// Its name in the metadata.
  public init?(argument: String) { self.init(name: argument) }

  /// For the help.
  public static var allValueStrings: [String] { allCases.map(\.name) }
}
