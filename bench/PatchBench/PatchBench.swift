internal import Crypto
internal import DeltaApply
internal import DeltaCreate
internal import Glibc
internal import Platform

/// Makes the patch of every file that two directories share, applies it, and prints a table.
///
/// `PatchBench OLD-DIR NEW-DIR [PACKED]`: with a third word, packed components of the new files.
@main
enum PatchBench {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 || arguments.count == 4 else {
      print("usage: PatchBench OLD-DIR NEW-DIR [PACKED]")
      exit(64)
    }
    do throws(BenchError) {
      try run(arguments[1], arguments[2], isPacked: arguments.count == 4)
    } catch {
      print(error.sentence)
      exit(1)
    }
  }

  private static func run(_ oldRoot: String, _ newRoot: String, isPacked: Bool) throws(BenchError) {
    print("file\told\tnew\tpatch\tcreate_cpu_s\tapply_cpu_s\tmemory")
    for name in try files(below: newRoot, "") {
      let new = try contents("\(newRoot)/\(name)")
      var old: [UInt8] = []
      if !isPacked {
        guard access("\(oldRoot)/\(name)", R_OK) == 0 else { continue }
        old = try contents("\(oldRoot)/\(name)")
      }
      try measure(name, old, new)
    }
  }

  private static func measure(_ name: String, _ old: [UInt8], _ new: [UInt8]) throws(BenchError) {
    let begin = clock()
    let patch: Patch
    var options = PatchMaker.Options()
    do throws(DeltaCreateError) { patch = try PatchMaker(options).make(old: old.span, new: new.span) } catch {
      throw .create(error)
    }
    let created = clock()
    if let k = getenv("KEEP") {
      let f = fopen(String(cString: k) + "/" + name.split(separator: "/").joined(separator: "_") + ".p", "w");
      fwrite(patch.bytes, 1, patch.bytes.count, f); fclose(f)
    }
    let applied = try apply(patch, old, into: name)
    let seconds = Double(created - begin) / Double(CLOCKS_PER_SEC)
    let result = try contents(applied.path)
    unlink(applied.path)
    guard result == new else { throw .wrongResult(name) }
    print(
      "\(name)\t\(old.count)\t\(new.count)\t\(patch.bytes.count)\t\(seconds)\t\(applied.seconds)\t\(patch.head.memoryNeeded)"
    )
    fflush(nil)
  }

  /// Applies a patch as the device does: from file to file.
  private static func apply(
    _ patch: Patch, _ old: [UInt8], into name: String
  ) throws(BenchError) -> (path: String, seconds: Double) {
    let base = "/tmp/PatchBench.\(getpid())"
    do throws(FileError) {
      let patchFile = try File(opening: base + ".patch", .replace)
      try patchFile.write(patch.bytes.span.bytes)
      let oldFile = try File(opening: base + ".old", .replace)
      try oldFile.write(old.span.bytes)
    } catch { throw .file(error) }
    defer {
      unlink(base + ".patch")
      unlink(base + ".old")
    }
    do throws(DeltaError) {
      let patchFile = try open(base + ".patch")
      var files = LocalPatchFiles(old: try open(base + ".old"), new: try open(base + ".new", .replace))
      let begin = clock()
      let expectation = PatchExpectation(
        head: patch.headDigest, containerSize: UInt64(patch.bytes.count), oldSize: UInt64(old.count),
        newSize: patch.head.newSize)
      _ = try applyPatch(from: patchFile, expectation, &files, memoryLimit: 16 << 20)
      return (base + ".new", Double(clock() - begin) / Double(CLOCKS_PER_SEC))
    } catch { throw .apply(name, error) }
  }

  private static func open(_ path: String, _ access: File.Access = .read) throws(DeltaError) -> File {
    do throws(FileError) { return try File(opening: path, access) } catch { throw .file(error) }
  }

  /// The files below a directory but for `map.xml`, in order.
  private static func files(below root: String, _ prefix: String) throws(BenchError) -> [String] {
    var names: [String] = []
    do throws(FileError) {
      let directory = try Directory(opening: root + "/" + prefix)
      var children: [String] = []
      try directory.forEachName { children.append($0) }
      for child in children.sorted() {
        guard let status = try directory.status(of: child) else { continue }
        let path = prefix.isEmpty ? child : "\(prefix)/\(child)"
        if status.kind == .file && child != "map.xml" { names.append(path) }
        guard status.kind == .directory else { continue }
        do throws(BenchError) { names += try files(below: root, path) } catch {
          if case .file(let error) = error { throw error }
        }
      }
    } catch { throw .file(error) }
    return names
  }

  private static func contents(_ path: String) throws(BenchError) -> [UInt8] {
    do throws(FileError) {
      let file = try File(opening: path)
      var bytes = [UInt8](repeating: 0, count: Int(try file.size()))
      var span = bytes.mutableSpan
      var raw = span.mutableBytes
      _ = try file.read(into: &raw, at: 0)
      return bytes
    } catch { throw .file(error) }
  }
}

/// Why the measurement stopped.
enum BenchError: Error {
  case file(FileError)
  case create(DeltaCreateError)
  case apply(String, DeltaError)
  case wrongResult(String)

  var sentence: String {
    switch self {
    case .file(let error): error.sentence
    case .create(let error): error.sentence
    case .apply(let name, let error): "\(name) \(error.sentence)"
    case .wrongResult(let name): "\(name): the round trip gave other bytes"
    }
  }
}
