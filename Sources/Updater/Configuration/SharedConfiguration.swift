/// The configuration of a process that works by it: one copy for all that are part of that work.
///
/// As a reference it is one field of noncopyable structures, which the compiler checks field by field.
final class SharedConfiguration {
  let value: Configuration

  init(_ value: Configuration) { self.value = value }
}
