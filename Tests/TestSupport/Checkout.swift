internal import Platform

/// The checkout that these tests were built from, and what was built in it.
package enum Checkout {
  /// `Tests/TestSupport/Checkout.swift` without its last three parts.
  package static let root = {
    let parts = #filePath.parts(separatedBy: "/")
    return parts.dropLast(3).joined(separator: "/")
  }()

  /// The folder of the running test program, where SwiftPM leaves the other products.
  package static let products: String? = {
    do throws(Failure) {
      let program = try Directory(opening: "/proc/self").readSymbolicLink("exe") ?? ""
      return program.parts(separatedBy: "/").dropLast().joined(separator: "/")
    } catch { return nil }
  }()

  /// zlib of the devices' version without our patch, whatever this machine has; `cross/host-zlib` makes it.
  package static let referenceZlib = "\(root)/build/zlib/reference.so"

  package static func isFile(_ path: String) -> Bool {
    do throws(Failure) { try File(opening: path).close() } catch { return false }
    return true
  }
}
