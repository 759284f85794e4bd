internal import ArgumentParser
internal import Publisher

extension LayoutChoice: ExpressibleByArgument {
  /// A layout, or the word "none".
  public init?(argument: String) {
    if argument == "none" {
      self = .none
    } else if let layout = NameLayout(argument) {
      self = .named(layout)
    } else {
      return nil
    }
  }

  /// The default, as help shows it.
  public var defaultValueDescription: String { "that of the last release" }
}
