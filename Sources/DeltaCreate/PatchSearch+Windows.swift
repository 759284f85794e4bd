internal import PatchFormat

/// Files that do not fit into memory with their suffixes.
extension PatchSearch {
  /// The operations that make the new file, window by window, each with the part of the old file that blocks show it to
  /// resemble.
  func operations(inWindows size: Int) throws(DeltaCreateError) -> [ScriptOperation] {
    let windows = SearchWindow.all(try findCopies()[0], old: old, new: new, size: size)
    var all: [ScriptOperation] = []
    for (index, window) in windows.enumerated() {
      let observe = options.observe
      var options = options
      options.observe = { observe($0.inWindow(index + 1, of: windows.count)) }
      for operation in try operations(in: window, options) { all.join(operation) }
    }
    return all
  }

  /// The best operations for a window, in the order of the new file.
  private func operations(
    in window: SearchWindow, _ options: PatchMaker.Options
  ) throws(DeltaCreateError) -> [ScriptOperation] {
    if let copy = window.wholeCopy(old: old, new: new) { return [ScriptOperation(copy)] }
    let start = window.range.lowerBound
    let plan = SearchBudget.choose(old: window.part.count, new: window.range.count, limit: plan.limit)
    var search = PatchSearch(
      old: old, new: UnsafeBufferPointer(rebasing: new[window.range]), part: window.part,
      known: window.copies.map { $0.moved(new: -start) }, isResidual: isResidual, plan: plan, options: options
    )
    return try search.operations(among: try search.findCopies()).map { $0.moved(by: start) }
  }
}

extension ScriptOperation {
  /// The same in a file in which what is made begins `distance` bytes later.
  fileprivate func moved(by distance: Int) -> ScriptOperation {
    ScriptOperation(
      operation: operation, new: new + distance,
      source: operation.source == .new ? source + distance : source, length: length)
  }
}
