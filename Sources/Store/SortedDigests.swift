package import Crypto
internal import Platform

extension [Digest] {
  /// Where a digest is in this array, which is in order; nil if it is not there.
  @inline(never)
  package func place(of digest: Digest) -> Int? {
    let place = partitionPoint { $0 < digest }
    return place < count && self[place] == digest ? place : nil
  }
}
