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
    }
  }

  private var windowSize: Int? {
    if case .windows(let size) = effort { size } else { nil }
  }

  /// Such as "suffixes; 64.3 MB of memory".
  var text: String {
    let windows = windowSize.map { ", windows of \(ByteCount(UInt64($0)).text)" } ?? ""
    return "\(index.name)\(windows); \(ByteCount(UInt64(memory)).text) of memory"
  }
}
