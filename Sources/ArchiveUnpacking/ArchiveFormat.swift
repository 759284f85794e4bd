/// What a file is by its first bytes; its name says nothing.
enum ArchiveFormat: Equatable {
  case zip, gzip, xz, zstd
  /// Anything else: a tar archive has no magic number at its front, and libarchive finds out.
  case plain

  /// The bytes that decide.
  static var length: Int { 6 }

  init(front: [UInt8]) {
    func begins(_ magic: [UInt8]) -> Bool { front.starts(with: magic) }
    if begins([0x50, 0x4b, 3, 4]) || begins([0x50, 0x4b, 5, 6]) {
      self = .zip
    } else if begins([0x1f, 0x8b]) {
      self = .gzip
    } else if begins([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]) {
      self = .xz
    } else if begins([0x28, 0xb5, 0x2f, 0xfd]) {
      self = .zstd
    } else {
      self = .plain
    }
  }
}
