internal import Platform

/// The program `rclone`, which copies to directories, servers and object stores (https://rclone.org).
///
/// It reads the settings of destinations from its own configuration and from the environment.
struct Rclone: ~Copyable {
  private let program: String
  private let place: Destination
  /// For lists, and for the output of the program.
  let folder: TemporaryFolder
  /// How many files were copied.
  private(set) var copied = 0

  /// - `place`: the destination.
  init(to place: Destination) throws(PublisherError) {
    guard let program = Rclone.find() else { throw .push(.noProgram) }
    folder = try TemporaryFolder()
    self.program = program
    self.place = place
  }

  private static func find() -> String? {
    let path = Environment.value("PATH") ?? "/usr/local/bin:/usr/bin:/bin"
    for folder in path.parts(separatedBy: ":") where folder.hasPrefix("/") {
      do throws(Failure) {
        // A symbolic link will do: opening follows it.
        if try File(opening: "\(folder)/rclone").isRegular() { return "\(folder)/rclone" }
      } catch {}
    }
    return nil
  }

  /// Copies files that are missing or differ, and returns when all of them are there.
  ///
  /// - `names`: relative to `source` and to the place.
  /// - `observe`: called now and then with the number of files that were copied.
  mutating func copy(
    _ names: [String], from source: String, as stage: PushStage,
    observe: (Int) -> Void
  ) throws(PublisherError) {
    guard !names.isEmpty else { return }
    try write("list", names.map { $0 + "\n" }.joined())
    let options = [
      "--files-from-raw", "\(folder.path)/list",
      // A name of content stands for its bytes; half a file has another size.
      stage == .content ? "--size-only" : "--checksum",
      "--header-upload", "Cache-Control: \(stage.cacheControl)", "--transfers", "8", "--stats", "0", "-v",
    ]
    var said = RcloneOutput()
    let code = try run("copy", [source, place.text] + options, saying: &said) { observe(copied + $0) }
    guard code == 0 else { throw .push(.failed(stage, code: code, text: place.redacting(said.problem))) }
    copied += said.copied
  }

  /// Fetches small files from the destination into the folder `there`; a file that the destination lacks is not an error.
  ///
  /// - `names`: names, or patterns of rclone.
  /// - `subfolder`: where they are, relative to the place.
  mutating func fetch(_ names: [String], below subfolder: String) throws(PublisherError) {
    try onFile { () throws(Failure) in try self.folder.directory.makeDirectory("there") }
    var said = RcloneOutput()
    let separator = place.text.hasSuffix(":") || place.text.hasSuffix("/") ? "" : "/"
    let folder = "\(place.text)\(separator)\(subfolder)"
    let files = names.flatMap { ["--include", "/\($0)"] }
    let code = try run(
      "copy", [folder, "\(self.folder.path)/there", "--max-depth", "1", "--max-size", "5M"] + files,
      saying: &said)
    // 3: the place does not exist yet.
    guard code == 0 || code == 3 else {
      throw .push(.failed(.metadata, code: code, text: place.redacting(said.problem)))
    }
  }

  func write(_ name: String, _ text: String) throws(PublisherError) {
    try write(name, Array(text.utf8))
  }

  func write(_ name: String, _ bytes: [UInt8]) throws(PublisherError) {
    try onFile { () throws(Failure) in
      try folder.directory.makeParents(of: name)
      let file = try folder.file(name)
      try file.write(bytes.span.bytes)
      try file.close()
    }
  }

  /// There is a file of that name in the folder.
  func has(_ name: String) throws(PublisherError) -> Bool {
    try folder.directory.fileSize(of: name) != nil
  }

  /// The bytes of a file in the folder; nil if it is absent.
  func read(_ name: String) throws(PublisherError) -> [UInt8]? {
    try onFile { () throws(Failure) in
      guard try folder.directory.status(of: name)?.kind == .file else { return nil }
      return try folder.directory.open(name).bytes(upTo: PublisherLimits.metadataFile)
    }
  }

  /// Runs it to its end; its exit code, or -1 if a signal ended it.
  ///
  /// - `each`: called now and then with the number of files that were copied by this run.
  private func run(
    _ command: String, _ arguments: [String], saying said: inout RcloneOutput, each: (Int) -> Void = { _ in }
  ) throws(PublisherError) -> Int32 {
    var limits = ChildProgram.Limits(memory: .max, seconds: 1 << 31, fileSize: .max)
    limits.nice = 0
    let log = try onFile { () throws(Failure) in try folder.file("log") }
    let words = [command, "--log-format", "", "--ask-password=false"] + arguments
    var child = try onFile { () throws(Failure) in
      try ChildProgram(starting: program, arguments: words, settings: [], output: log, limits: limits)
    }
    var round = 0
    while true {
      let ending = child.poll()
      if ending != nil || round % 20 == 0 {
        try said.take(from: try onFile { () throws(Failure) in try folder.directory.open("log") })
        each(said.copied)
      }
      if let ending { return if case .exited(let code) = ending { code } else { -1 } }
      if StopSignal.isRaised { throw .stopped }
      Clock.sleep(milliseconds: 50)
      round += 1
    }
  }
}
