extension Array {
  /// The index of the first element for which `isBefore` is false, if it is true for all before that and for none after.
  package func partitionPoint(_ isBefore: (Element) -> Bool) -> Int {
    var range = 0..<count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = isBefore(self[middle]) ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}
