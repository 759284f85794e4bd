/// The configuration of an updater: one copy for it and all of its runs.
///
/// As a reference it is one field of noncopyable structures, which the compiler checks field by field.
final class SharedConfiguration {
  let value: Configuration

  init(_ value: Configuration) { self.value = value }
}
