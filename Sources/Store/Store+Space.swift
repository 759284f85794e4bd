package import Platform

extension Store {
  /// The space that the file system has.
  package func space() throws(StoreError) -> Space {
    try storing { () throws(FileError) in try root.space() }
  }

  /// It is in an overlay, whose files cost space when they get another name.
  package func isOverlay() throws(StoreError) -> Bool {
    try storing { () throws(FileError) in try root.isOverlay() }
  }

  /// The bytes and inodes that all generations but the current one take, without what that shares with them.
  ///
  /// Of a generation that disappears meanwhile, or that cannot be read, nothing is counted.
  package func spaceOfOtherGenerations() throws(StoreError) -> (bytes: UInt64, files: UInt64) {
    guard let current = try currentNumber() else { return (0, 0) }
    var numbers: [UInt64] = []
    try forEachGeneration {
      if $0 != current && numbers.count < StoreLimits.generations { numbers.append($0) }
    }
    var sum = (bytes: 0 as UInt64, files: 0 as UInt64)
    for number in numbers {
      do throws(FileError) {
        let space = try generations.openDirectory("\(number)").removableSpace()
        sum.bytes = sum.bytes.saturatingSum(space.bytes)
        sum.files = sum.files.saturatingSum(space.files)
      } catch {}
    }
    return sum
  }
}
