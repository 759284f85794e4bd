package import Platform

extension Store {
  /// The space that the file system has.
  package func space() throws(Failure) -> Space {
    try root.space()
  }

  /// It is in an overlay, whose files cost space when they get another name.
  package func isOverlay() throws(Failure) -> Bool {
    try root.isOverlay()
  }

  /// The bytes and inodes that all generations but the current one and the one that stands by take, without what others
  /// share with them.
  ///
  /// Of a generation that disappears meanwhile, or that cannot be read, nothing is counted.
  package func spaceOfOtherGenerations() throws(Failure) -> (bytes: UInt64, files: UInt64) {
    guard let current = try currentNumber() else { return (0, 0) }
    let standby = try readyStandby()?.generation
    var numbers: [UInt64] = []
    try forEachGeneration {
      if $0 != current && $0 != standby && numbers.count < StoreLimits.generations { numbers.append($0) }
    }
    var sum = (bytes: 0 as UInt64, files: 0 as UInt64)
    for number in numbers {
      do throws(Failure) {
        let space = try generations.openDirectory("\(number)").removableSpace()
        sum.bytes = sum.bytes.saturatingSum(space.bytes)
        sum.files = sum.files.saturatingSum(space.files)
      } catch {}
    }
    return sum
  }
}
