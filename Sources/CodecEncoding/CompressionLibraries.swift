internal import CLZMA
internal import CZlib

/// The libraries that compress in this process; the bytes of a patch depend on both.
package enum CompressionLibraries {
  /// Names and versions, for people.
  package static var description: String {
    "zlib \(String(cString: zlibVersion())), liblzma \(String(cString: lzma_version_string()))"
  }
}
