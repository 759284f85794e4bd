import Foundation
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// Nothing of an index that cannot be made, or is not wanted any more, is left; the maps that came wait for the next run.
  @Suite("Index failures")
  struct IndexFailureTests {
    private let maps: IndexedMaps
    private let scratch: Scratch

    init() throws {
      maps = try IndexedMaps.shared.get()
      scratch = try Scratch("index")
    }

    /// Runs an update with an index command that fails, and expects that no temporary file is left of it.
    private func failure(_ script: String, _ exit: Int32, _ settings: String...) throws -> String {
      let old = try maps.copy(in: scratch, upTo: 1)
      let setup = try maps.device(nil, of: old.url)
      #expect(try setup.run("install", "sample").exit == 0)
      let device = try maps.device(
        try IndexedMaps.Command(script), settings: settings.joined(separator: "\n"))
      try device.copyStore(of: setup)
      let before = try device.state()
      let run = try device.run("apply")
      #expect(run.exit == exit, "\(run)")
      #expect(try device.state() == before)
      #expect(try exit == 22 ? device.staged == [] : device.staged.allSatisfy(isComplete))
      return run.error
    }

    /// A component or an index, and no temporary file.
    private func isComplete(_ name: String) -> Bool { name.hasSuffix(".index") || !name.contains(".") }

    @Test(
      "A6: a failed index leaves the device unchanged without temporary files, and is reported with its cause",
      arguments: [
        (
          "echo no table roads >&2; echo part >\"$2\"; echo x >\"$2-wal\"; exit 3",
          "exited with 3; its output is in the log"
        ),
        ("kill -SEGV $$", "was killed by a signal (Segmentation fault)"),
        ("exec sleep 60", "timed out after 1 seconds"),
        ("mkdir \"$2\"", "did not produce a regular file"),
        ("exec head -c 100000000 /dev/zero | tail -n 1 >\"$2\"", "tail: memory exhausted"),
      ])
    func failed(script: String, text: String) throws {
      // The last one is about memory: a line without end is too much for it.
      let time = text.contains("timed out") ? 1 : 300
      let error = try failure(script, 78, "index_time = \(time)", "index_memory = 16M")
      #expect(error.contains("no index of sample/three/base.bin was made: "), "\(error)")
      #expect(error.contains(text), "\(error)")
      #expect(error.contains("nothing was changed"))
      if script.contains("roads") {
        #expect(error.contains("tinyupdater: index of sample/three/base.bin: no table roads\n"), "\(error)")
      }
    }

    @Test("a command that cannot be started is named")
    func notStarted() throws {
      let device = try Device(
        maps.repository.url, trusting: maps.repository, settings: "index_command = /nonexistent/index")
      let run = try device.run("install", "sample")
      #expect(run.exit == 78)
      #expect(
        run.error.contains("/nonexistent/index could not be started (No such file or directory)"),
        "\(run.error)")
      #expect(try device.staged.allSatisfy(isComplete))
    }

    @Test("A6: a failed download leaves no temporary file of an index in the making")
    func failedDownload() throws {
      let copy = try maps.copy(in: scratch, upTo: 2)
      let server = try WebServer(copy.path)
      let probe = try maps.device(nil, of: server.url)
      #expect(try probe.run("install", "sample").exit == 0)
      // The first one has an index; this is the one after it.
      let payloads = try server.log().payloads
      try #require(payloads.count == 4)
      try Directory(opening: copy.path).remove(payloads[1].path)
      let command = try IndexedMaps.Command("echo $$ >>\"$notes\"; exec sleep 60")
      let device = try maps.device(command, of: server.url)
      let run = try device.json("install", "sample")
      #expect(run.exit == 15, "\(run)")
      #expect(run.events("component").contains { $0["state"] as? String == "indexing" })
      #expect(try device.staged.allSatisfy { !$0.contains(".index") })
      for id in command.notes { #expect(try !isRunning(id)) }
    }

    @Test(
      "A6: a run that is cancelled while downloading or indexing leaves staging empty and no child process",
      arguments: [
        true, false,
      ])
    func cancelled(isIndexing: Bool) throws {
      let server = try WebServer(
        maps.repository.path,
        directives: "location ~ /(components|payloads)/ { limit_rate \(isIndexing ? "0" : "20k"); }")
      let command = try IndexedMaps.Command("echo $$ >>\"$notes\"; echo part >\"$2\"; sleep 60")
      let device = try maps.device(command, of: server.url)
      let child = try device.start(["--json", "install", "sample"])
      if isIndexing {
        while command.notes.isEmpty { Clock.sleep(milliseconds: 10) }
      } else {
        #expect(child.waitForLine(with: "\"downloading\"") != nil)
      }
      let start = Clock.milliseconds
      child.signal(SIGINT)
      let run = try device.finish(child)
      #expect(Clock.milliseconds - start < 2500)
      #expect(run.exit == 26, "\(run)")
      #expect(try device.staged == [])
      #expect(try device.current == nil)
      for id in command.notes { #expect(try !isRunning(id)) }
    }

    @Test(
      "A6: a cancellation by another process while an index is made leaves staging empty and no child process"
    )
    func cancelledByAnother() throws {
      let command = try IndexedMaps.Command("echo $$ >>\"$notes\"; echo part >\"$2\"; exec sleep 60")
      let device = try maps.device(command)
      let child = try device.start(["--json", "install", "sample"])
      while command.notes.isEmpty { Clock.sleep(milliseconds: 10) }
      let active = try device.json("cancel")
      #expect(active.exit == 0, "\(active)")
      let run = try device.finish(child)
      #expect(run.exit == 26, "\(run)")
      #expect(try device.staged == [] && device.current == nil)
      for id in command.notes { #expect(try !isRunning(id)) }
    }

    /// A zombie does not run.
    private func isRunning(_ id: String) throws -> Bool {
      let state = try ChildProcess.run("sh", ["-c", "cut -d ' ' -f 3 /proc/\(id)/stat 2>/dev/null"]).output
      return !state.isEmpty && !state.hasPrefix("Z")
    }

    @Test("A5: an index command that finds no space ends the update with exit 22, needed and available")
    func noSpace() throws {
      let error = try failure("echo part >\"$2\"; exit 22", 22)
      #expect(error.contains("the index of sample/three/base.bin needs at least "), "\(error)")
      #expect(error.contains("nothing was changed"))
    }

    @Test(
      "A5: no free space on download and on indexing is its own error with needed and available",
      .enabled(if: Volume.isPossible, "mounting file systems takes root"))
    func full() throws {
      let volume = try Volume(megabytes: 4)
      let command = try IndexedMaps.Command("exec head -c 20000000 /dev/zero >\"$2\"")
      let device = try maps.device(command, root: "\(volume.path)/store", settings: "space_reserve = 1M")
      let indexing = try device.json("install", "sample")
      #expect(indexing.exit == 22, "\(indexing)")
      let result = try indexing.event("result")
      #expect(result["result"] as? String == "OutOfSpace")
      let (needed, available) = (
        try indexing.number("result", "needed"), try indexing.number("result", "available")
      )
      #expect(needed > available && available > 0 && available < 3 << 20)
      #expect((result["message"] as? String)?.contains("the index of sample/one/base.bin") == true)
      #expect(try device.staged == [])
      let small = try Volume(megabytes: 2)
      let other = try maps.device(command, root: "\(small.path)/store", settings: "space_reserve = 1M")
      let download = try other.json("install", "sample")
      #expect(download.exit == 22)
      #expect(
        try download.number("result", "needed") == other.json("plan", "sample").number("plan", "peakDisk"))
      #expect(try download.number("result", "needed") > download.number("result", "available"))
      #expect(download.events("component").isEmpty)
    }
  }
}
