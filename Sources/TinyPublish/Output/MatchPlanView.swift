internal import DeltaCreate
internal import Platform

extension MatchPlan.Index {
  /// As it is printed and written in JSON.
  var name: String {
    switch self {
    case .none: "none"
    case .suffixes: "suffixes"
    case .blocks: "blocks"
    }
  }
}

extension MatchPlan {
  /// Such as "suffixes, streams, numbers; 64.3 MB of memory".
  var text: String {
    let parts = [index.name] + (searchesStreams ? ["streams"] : []) + (searchesNumbers ? ["numbers"] : [])
    return "\(parts.joined(separator: ", ")); \(ByteCount(UInt64(memory)).text) of memory"
  }
}
