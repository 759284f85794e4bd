internal import DeltaCreate
internal import Platform

extension SearchBudget.Index {
  /// As it is printed and written in JSON.
  var name: String {
    switch self {
    case .none: "none"
    case .suffixes: "suffixes"
    case .blocks: "blocks"
    }
  }
}

extension SearchBudget {
  /// How a small `--memory` limited the search, as the end of a sentence; nil if it did not.
  var limitation: String? {
    switch effort {
    case .full: nil
    case .windows(let size):
      "was searched in windows of \(ByteCount(UInt64(size)).text) (not enough --memory for all of it at once)"
    case .single: "was matched by blocks alone (not enough --memory for a search of suffixes)"
    }
  }

  private var windowSize: Int? {
    if case .windows(let size) = effort { size } else { nil }
  }

  /// Such as "suffixes, streams, numbers; 64.3 MB of memory".
  var text: String {
    let parts =
      [index.name] + (windowSize.map { ["windows of \(ByteCount(UInt64($0)).text)"] } ?? [])
      + (searchesStreams ? ["streams"] : []) + (searchesNumbers ? ["numbers"] : [])
    return "\(parts.joined(separator: ", ")); \(ByteCount(UInt64(memory)).text) of memory"
  }
}
