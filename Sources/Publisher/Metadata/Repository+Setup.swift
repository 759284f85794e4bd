internal import Platform
internal import Trust

/// Making a repository.
extension Repository {
  /// The result of `initialize`.
  package enum Initialization: Equatable { case made, alreadyThere }

  /// Makes an empty repository and the keys that sign it; an existing repository stays as it is.
  ///
  /// Keys that are already in `store` are used: an interrupted run may have made them. `timestamp.json` comes last:
  /// a directory without it is not yet a repository.
  package static func initialize(
    _ path: String, keys store: KeyStore, setup: RepositorySetup
  ) throws(PublisherError) -> Initialization {
    ThisProcess.shareFiles()
    let path = PathParts.withoutTrailingSlash(path)
    let directory = try onFile { () throws(Failure) in try Directory(making: path) }
    // Nothing is made in a directory of other files, not even the lock.
    let isFit = try isRepository(directory) ? true : isUnused(directory)
    guard isFit else { throw .repository(.notEmpty(path: path)) }
    let lock = try RepositoryLock(.metadata, of: directory)
    if try isRepository(directory) {
      _ = try ServedMetadata(of: Repository(opening: path))
      try onFile { () throws(Failure) in
        for folder in folders { try directory.makeDirectory(folder) }
      }
      _ = consume lock
      return .alreadyThere
    }
    try store.check(outside: directory)
    let files = try firstFiles(store, setup: setup)
    try onFile { () throws(Failure) in
      for folder in folders { try directory.makeDirectory(folder) }
      try directory.synchronize()
      for file in files { try put(file, in: directory) }
      try directory.removeTree(work)
    }
    _ = consume lock
    return .made
  }

  /// In the order in which they have to appear.
  private static func firstFiles(
    _ store: KeyStore, setup: RepositorySetup
  ) throws(PublisherError) -> [SignedFile] {
    try store.makeDirectory()
    var content = RootContent()
    for role in Root.TopLevel.allCases {
      var keys = Array(try store.keys(role).prefix(setup[role].keys))
      while keys.count < setup[role].keys { keys.append(try store.make(role, scheme: setup.scheme)) }
      content[role] = RootContent.RoleContent(keys: keys, threshold: setup[role].threshold)
    }
    func head(_ role: Root.TopLevel) -> MetadataText.Head {
      setup.validity.head(role, after: nil, now: setup.now)
    }
    func signed(_ role: Root.TopLevel, json: JSON) throws(PublisherError) -> SignedFile {
      var file = try SignedFile(json, file: SignedFile.name(role, version: 1))
      try file.sign(by: content[role].keys, in: store)
      return file
    }
    let root = try signed(.root, json: content.signed(head(.root)))
    let targets = try signed(.targets, json: MetadataText.targets([], head: head(.targets)))
    let snapshot = try signed(
      .snapshot, json: MetadataText.listing(targets, in: .snapshot, head: head(.snapshot)))
    let timestamp = try signed(
      .timestamp, json: MetadataText.listing(snapshot, in: .timestamp, head: head(.timestamp)))
    return [root, targets, snapshot, timestamp]
  }

  private static func isRepository(_ directory: borrowing Directory) throws(PublisherError) -> Bool {
    try onFile { () throws(Failure) in
      try directory.status(of: ServedMetadata.timestampPath)?.kind == .file
    }
  }

  /// Whether the directory holds nothing but the files of an interrupted `initialize`.
  private static func isUnused(_ directory: borrowing Directory) throws(PublisherError) -> Bool {
    let ours = [Root.TopLevel.root, .targets, .snapshot].map { SignedFile.name($0, version: 1) }
    return try onFile { () throws(Failure) in
      var isUnused = true
      try directory.forEachName { (name) throws(Failure) in
        guard folders.contains(name) else {
          if name != work && name != RepositoryLock.folder { isUnused = false }
          return
        }
        let folder = try directory.openDirectory(name)
        try folder.forEachName { (file) throws(Failure) in
          if name != ServedMetadata.folder || !ours.contains(file) { isUnused = false }
        }
      }
      return isUnused
    }
  }
}
