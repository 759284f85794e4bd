internal import Platform

/// The layout of the files that a repository is made of, as its last release had it.
enum RecordedLayout {
  private static var name: String { ".layout" }

  static func read(in repository: borrowing Directory) throws(PublisherError) -> NameLayout? {
    try onFile { () throws(Failure) in
      guard try repository.status(of: name)?.kind == .file else { return nil }
      let bytes = try repository.open(name).bytes(upTo: 1024)
      return NameLayout(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
  }

  static func replace(by layout: NameLayout?, in repository: borrowing Directory) throws(Failure) {
    guard let layout else { return try repository.remove(name) }
    try repository.replace(name, with: Array("\(layout.text)\n".utf8), through: "\(Repository.work)/layout")
  }
}
