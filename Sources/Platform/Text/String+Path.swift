extension String {
  /// The directory of a path, which is "." where it names none, and the name in it.
  package var folderAndName: (folder: String, name: String) {
    let name = parts(separatedBy: "/").last ?? self
    if name.utf8.count == utf8.count { return (".", self) }
    return (String(decoding: Array(utf8.dropLast(name.utf8.count)), as: UTF8.self), name)
  }
}
