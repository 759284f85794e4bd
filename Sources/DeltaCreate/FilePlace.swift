/// Where in the new file the next byte goes that is in no stream, as the device counts it.
struct FilePlace {
  private(set) var offset = 0
  /// Stretches behind it that streams have filled, in the order of the file.
  private var claims: [Range<Int>] = []

  /// Whether all streams so far lie before it.
  var isClear: Bool { claims.isEmpty }

  /// How many stretches are filled behind it.
  var claimCount: Int { claims.count }

  mutating func claim(_ extents: [Range<Int>]) {
    for extent in extents {
      let index = claims.lastIndex { $0.lowerBound < extent.lowerBound }.map { $0 + 1 } ?? 0
      claims.insert(extent, at: index)
    }
    pass()
  }

  /// Goes on by so many bytes that are in no stream.
  mutating func advance(by count: Int) {
    var left = count
    while let first = claims.first, first.lowerBound - offset <= left {
      left -= first.lowerBound - offset
      offset = first.lowerBound
      pass()
    }
    offset += left
  }

  /// Goes on to a place that is in none of these stretches.
  mutating func advance(to end: Int) {
    claims.removeAll { $0.upperBound <= end }
    offset = max(offset, end)
    pass()
  }

  private mutating func pass() {
    while let first = claims.first, first.lowerBound == offset {
      offset = first.upperBound
      claims.removeFirst()
    }
  }
}
