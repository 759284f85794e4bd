package import Crypto

extension [Digest] {
  /// Where a digest is in this array, which is in order; nil if it is not there.
  package func place(of digest: Digest) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if self[middle] == digest { return middle }
      if self[middle] < digest { low = middle + 1 } else { high = middle }
    }
    return nil
  }
}
