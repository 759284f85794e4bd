/// How much a reader accepts of an archive.
package enum ArchiveLimits {
  /// Files that are looked up in an archive: at 16 bytes each, a megabyte while it is open.
  package static var files: Int { 65_536 }
  /// Bytes of a name: many times those in a repository.
  static var name: Int { 512 }
  /// Bytes that are read at a time.
  static var buffer: Int { 32 << 10 }
}
