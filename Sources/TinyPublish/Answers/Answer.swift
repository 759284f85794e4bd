internal import JSONCoding
internal import Platform

/// The answers of commands with `--json`: members in the order of the properties, absent where they are nil.
///
/// `docs/schema` describes each answer; names are a contract (`docs/contract.md`).
enum Answer {
  /// Writes a value to standard output, as one line.
  static func write(_ value: some Encodable) { Terminal.writeLine(JSONLine.text(value)) }
}
