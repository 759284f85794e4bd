/// The configuration of a process that works by it: one copy for all that are part of that work.
final class SharedConfiguration {
  let value: Configuration

  init(_ value: Configuration) { self.value = value }
}
