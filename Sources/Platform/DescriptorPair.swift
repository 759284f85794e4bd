/// Two descriptors that are made together: the ends of a pipe or of a connection.
struct DescriptorPair {
  let first: CInt
  let second: CInt

  /// - `make`: a call such as pipe2(2), which fills the place of two descriptors.
  init(_ make: (UnsafeMutablePointer<CInt>?) -> CInt) throws(Errno) {
    var ends: (CInt, CInt) = (-1, -1)
    let made = withUnsafeMutableBytes(of: &ends) { bytes in
      bytes.withMemoryRebound(to: CInt.self) { make($0.baseAddress) }
    }
    guard made == 0 else { throw Errno.last }
    (first, second) = ends
  }
}
