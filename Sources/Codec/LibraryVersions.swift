internal import CLZMA
internal import CZlib

/// The libraries that compress in this process, by name and version; the bytes of a patch depend on both.
package var compressionLibraries: String {
  "zlib \(String(cString: zlibVersion())), liblzma \(String(cString: lzma_version_string()))"
}
