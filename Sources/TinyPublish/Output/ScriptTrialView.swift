internal import DeltaCreate

extension ScriptTrial.Origin {
  /// As it is written in JSON.
  var name: String {
    switch self {
    case .identical: "identical"
    case .streams: "streams"
    case .matched: "matched"
    case .aligned: "aligned"
    case .windows: "windows"
    case .costs: "costs"
    case .literals: "literals"
    }
  }

  /// How its operations were found, as a part of a sentence.
  var text: String {
    switch self {
    case .identical: "one copy of the old file"
    case .streams: "compressed contents are rebuilt"
    case .matched(let number, _): "all copies that matching \(number + 1) has found"
    case .aligned: "copies that each continue to the next one"
    case .windows(let count): "copies with the least estimated costs, in \(count) windows"
    case .costs: "copies with the least estimated costs"
    case .literals: "no copies"
    }
  }
}

extension ScriptTrial.Verdict {
  /// As it is written in JSON.
  var name: String {
    switch self {
    case .taken: "taken"
    case .rejected(.larger): "larger"
    case .rejected(.same): "same"
    case .rejected(.farAboveBest): "farAboveBest"
    case .rejected(.largerWhenPacked): "largerWhenPacked"
    }
  }
}

extension [ScriptTrial] {
  /// Which one was taken of how many, such as "12 tried, taken: no copies".
  var text: String {
    let taken = first { $0.verdict == .taken }
    return "\(count) tried" + (taken.map { ", taken: \($0.origin.text)" } ?? "")
  }
}
