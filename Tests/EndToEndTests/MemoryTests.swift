import Foundation
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// No memory is one answer, everywhere: a sentence, exit code 23, and the store as it was.
  @Suite("Memory")
  struct MemoryTests {
    private let sample: Sample
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("memory")
    }

    private static let commands = [
      "check", "plan", "apply", "install world/rivers", "uninstall europe/malta", "list", "list --tree",
      "at 35.9 14.4", "status", "history", "verify", "groups", "groups deselect search",
      "groups select search", "rollback", "confirm", "cancel", "boot", "watch", "--version",
    ]

    /// A device at release 2 that came from release 1.
    private func start() throws -> Device {
      let repository = try sample.repository.copy(to: "\(scratch.path)/repository", upTo: 2)
      let device = try sample.device(at: 1, of: repository.url)
      #expect(try device.run("apply").exit == 0)
      return device
    }

    /// The maps of a device, and its data groups.
    private struct Contents: Equatable {
      let maps: [String: String]
      let groups: [UInt8]?

      init(_ device: Device) throws {
        maps = try device.installed()
        groups = try names(device.root).contains("groups") ? contents("\(device.root)/groups") : nil
      }
    }

    /// Runs `command` in a copy of a store; `watch`, which never ends by itself, until it gets a signal.
    private func run(
      _ command: [String], on device: Device, startingAs start: Device, before: [String] = []
    ) throws -> Device.Run {
      try device.copyStore(of: start)
      let limit = command == ["watch"] ? ["timeout", "--preserve-status", "0.5"] : []
      return try device.finish(device.start(command, before: limit + before))
    }

    /// Runs `command` with one of its allocations refused; the store is the old one or the `new` one afterwards.
    ///
    /// - `mayEnd`: it is the last one of another run, and this run may have one less.
    private func refuse(
      _ command: [String], on device: Device, startingAs start: Device, becoming new: Contents,
      before: [String], mayEnd: Bool = false, _ label: String
    ) throws {
      let run = try run(command, on: device, startingAs: start, before: before)
      #expect(try [Contents(start), new].contains(Contents(device)), "\(label)")
      if mayEnd && run.exit == 0 { return }
      #expect(run.exit == 23, "\(label): \(run)")
      #expect(run.error.contains("out of memory"), "\(label): \(run)")
      #expect(try device.run("verify").exit == 0, "\(label)")
      // One that was done already is no longer possible, and nothing else is wrong.
      guard command != ["watch"] else { return }
      let again = try device.run(command)
      #expect([0, 10, 64].contains(again.exit), "\(label): \(again.error)")
      #expect(try names("\(device.root)/generations").allSatisfy { Int($0) != nil }, "\(label)")
      #expect(try device.staged == [], "\(label)")
    }

    @Test("every command reports each refusal of memory by the kernel, and ends")
    func kernelRefuses() throws {
      let start = try start()
      let device = try Device(sample.repository.url, settings: "at_boot = nothing")
      let log = "\(scratch.path)/trace"
      for command in MemoryTests.commands {
        let words = command.split(separator: " ").map(String.init)
        let tracing = ["strace", "-f", "-o", log, "-e", "trace=mmap"]
        let whole = try run(words, on: device, startingAs: start, before: tracing)
        #expect([0, 10].contains(whole.exit), "\(command): \(whole.error)")
        let new = try Contents(device)
        let count = String(decoding: try contents(log), as: UTF8.self).split(separator: "\n")
          .count { $0.contains("mmap(") }
        #expect(count > 0)
        var numbers = Array(1...count)
        if environment("TINYUPDATER_CRASH") != "full" {
          var random = SeededGenerator(UInt64(count))
          numbers = Array(numbers.shuffled(using: &random).prefix(command == "apply" ? 6 : 3))
        }
        for number in numbers {
          let injection = [
            "strace", "-f", "-o", "/dev/null", "-e", "inject=mmap:error=ENOMEM:when=\(number)",
          ]
          try refuse(
            words, on: device, startingAs: start, becoming: new, before: injection, mayEnd: number == count,
            "\(command), \(number) of \(count)")
        }
      }
    }

    @Test("patch reports each refusal of memory by the kernel, and ends")
    func toolsRefused() throws {
      try scratch.write("old", [UInt8](repeating: 7, count: 50_000))
      try scratch.write("new", [UInt8](repeating: 7, count: 49_000) + [1, 2, 3])
      try Programs.run(
        Programs.tinypublish(), "diff", "\(scratch.path)/old", "\(scratch.path)/new", "-o",
        "\(scratch.path)/patch")
      let log = "\(scratch.path)/trace"
      let words = [
        try Programs.tinyupdater(), "patch", "\(scratch.path)/old", "\(scratch.path)/patch",
        "\(scratch.path)/made",
      ]
      let whole = try ChildProcess.run("strace", ["-o", log, "-e", "trace=mmap"] + words)
      #expect(whole.status == 0, "\(whole.error)")
      let count = String(decoding: try contents(log), as: UTF8.self).split(separator: "\n")
        .count { $0.contains("mmap(") }
      #expect(count > 0)
      for number in 1...count {
        try Programs.run("rm", "-f", "\(scratch.path)/made")
        let injection = ["-o", "/dev/null", "-e", "inject=mmap:error=ENOMEM:when=\(number)"]
        let run = try ChildProcess.run("strace", injection + words)
        #expect(run.status == 23, "\(number) of \(count): \(run)")
        #expect(run.error.contains("out of memory"), "\(number) of \(count): \(run)")
        #expect(try !names(scratch.path).contains("made"), "\(number) of \(count)")
      }
    }

    /// A library in front of the C library's allocator that refuses one allocation, or counts all.
    private func refuser() throws -> String {
      try scratch.write(
        "refuse.c",
        """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <stdio.h>
        #include <stdlib.h>
        static long number, refused;
        static int refuses(void) {
          if (!refused) { const char *text = getenv("REFUSED"); refused = text ? atol(text) : -1; }
          if (__sync_add_and_fetch(&number, 1) != refused) return 0;
          errno = ENOMEM;
          return 1;
        }
        #define REAL(type, name) static type real; if (!real) real = (type)dlsym(RTLD_NEXT, name)
        typedef void *(*one)(size_t);
        typedef void *(*two)(size_t, size_t);
        typedef void *(*grow)(void *, size_t);
        void *__libc_malloc(size_t n) { REAL(one, "__libc_malloc"); return refuses() ? NULL : real(n); }
        void *__libc_calloc(size_t c, size_t n) { REAL(two, "__libc_calloc"); return refuses() ? NULL : real(c, n); }
        void *__libc_memalign(size_t a, size_t n) { REAL(two, "__libc_memalign"); return refuses() ? NULL : real(a, n); }
        void *__libc_realloc(void *p, size_t n) { REAL(grow, "__libc_realloc"); return refuses() ? NULL : real(p, n); }
        __attribute__((destructor)) static void report(void) {
          const char *path = getenv("COUNTED");
          FILE *file = path ? fopen(path, "w") : NULL;
          if (file) { fprintf(file, "%ld", number); fclose(file); }
        }
        """)
      try Programs.run(
        "cc", "-shared", "-fPIC", "-O1", "-o", "\(scratch.path)/refuse.so", "\(scratch.path)/refuse.c")
      return "\(scratch.path)/refuse.so"
    }

    @Test("every command reports any single allocation that is refused, and ends")
    func allocationRefused() throws {
      let program = try #require(Checkout.products.map { "\($0)/tinyupdater" })
      try #require(Checkout.isFile(program))
      let refuser = try refuser()
      let start = try start()
      let device = try Device(
        sample.repository.url, program: program, settings: "at_boot = nothing", "memory_budget = 64M")
      let seed = UInt64.random(in: 0..<1 << 32)
      var random = SeededGenerator(seed)
      for command in MemoryTests.commands {
        let words = command.split(separator: " ").map(String.init)
        let counted = "\(scratch.path)/count"
        let counting = ["env", "LD_PRELOAD=\(refuser)", "COUNTED=\(counted)"]
        let whole = try run(words, on: device, startingAs: start, before: counting)
        #expect([0, 10].contains(whole.exit), "\(command): \(whole.error)")
        let new = try Contents(device)
        let count = try #require(Int(String(decoding: try contents(counted), as: UTF8.self)))
        // Runs differ by a few: numbers have more or fewer digits.
        let samples = environment("TINYUPDATER_CRASH") == "full" ? 100 : 1
        let numbers =
          [count - count / 40]
          + (0..<samples).map { _ in Int.random(in: 1..<count - count / 40, using: &random) }
        for number in numbers {
          let refusing = ["env", "LD_PRELOAD=\(refuser)", "REFUSED=\(number)"]
          try refuse(
            words, on: device, startingAs: start, becoming: new, before: refusing,
            "\(command), \(number) of \(count), seed \(seed)")
        }
      }
    }
  }
}
