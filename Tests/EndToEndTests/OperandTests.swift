import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// Files that a command line names: what is no file is neither replaced nor taken for an empty one.
  @Suite("Inputs and outputs")
  struct OperandTests {
    private let scratch: Scratch
    private let new: [UInt8]

    init() throws {
      scratch = try Scratch("operands")
      var random = SeededGenerator(34)
      let old = (0..<20_000).map { _ in UInt8.random(in: 0...60, using: &random) }
      new = old[5000...] + [1, 2, 3] + old[..<5000]
      try scratch.write("old", old)
      try scratch.write("new", new)
      try diff("-o", "patch")
    }

    /// Runs a line of a shell in the directory of the files; `$P` and `$T` are the programs.
    private func shell(_ line: String) throws -> ChildProcess.Outcome {
      try ChildProcess.run(
        "bash", ["-c", "cd \(scratch.path) && \(line)"],
        environment: [
          "P": try Programs.tinypublish(), "T": try Programs.tinyupdater(), "TMPDIR": "\(scratch.path)/tmp",
        ])
    }

    private func diff(_ options: String...) throws {
      try scratch.makeDirectory("tmp")
      let outcome = try shell("$P diff old new -q \(options.joined(separator: " "))")
      #expect(outcome.status == 0, "\(outcome)")
    }

    private func mode(_ name: String) -> mode_t {
      var status = stat()
      return lstat("\(scratch.path)/\(name)", &status) == 0 ? status.st_mode & S_IFMT : 0
    }

    /// The lines that write to `name`.
    private func writers(_ name: String) -> [String] {
      [
        "$P diff old new -q -o \(name)", "$T patch old patch \(name)",
        "$P plan repository input -q -l 1 --jobs-to \(name)",
        "$P plan repository input -q -l 1 --jobs-to jobs --ninja \(name)",
        "cp patch x.tar; ln -sf \(name) out.tar; $P bundle repository -q -o out.tar",
      ]
    }

    private func publish() throws {
      try scratch.write("pass", "secret")
      try scratch.write("input/a/b/base.bin", new)
      let outcome = try shell(
        """
        chmod 600 pass; export TINYPUBLISH_PASSPHRASE_FILE=pass
        $P init repository && $P release repository input -l 0 -q; echo x >>input/a/b/base.bin
        """)
      #expect(outcome.status == 0, "\(outcome)")
    }

    @Test("an output that is a pipe or a device is refused with exit code 24, and stays")
    func outputs() throws {
      try publish()
      #expect(mkfifo("\(scratch.path)/pipe", 0o600) == 0)
      var kinds: [(String, mode_t)] = [("pipe", S_IFIFO)]
      if getuid() == 0 {
        #expect(mknod("\(scratch.path)/null", S_IFCHR | 0o600, dev_t(1 << 8 | 3)) == 0)
        kinds.append(("null", S_IFCHR))
      }
      for (name, kind) in kinds {
        for line in writers(name) {
          let outcome = try shell(line)
          #expect(outcome.status == 24 && outcome.output == "", "\(line): \(outcome)")
          #expect(outcome.error.contains("which a file would replace; it was left as it is"), "\(outcome)")
          #expect(mode(name) == kind, "\(line)")
        }
      }
      #expect(try !scratch.names().contains { $0.hasSuffix(".part") || $0 == "jobs" })
      #expect(try !scratch.names("repository").contains(".work"))
    }

    @Test("an output that is an input is refused with exit code 64, and stays")
    func sameFile() throws {
      try publish()
      for line in [
        "$P diff old new -q -o new", "$P diff old new -q -o old", "ln new hard; $P diff old new -q -o hard",
        "$T patch old patch patch", "$P plan repository input -l 1 --jobs-to jobs --ninja ./jobs",
        "tar -C input -cf in.tar .; $P plan repository in.tar -l 1 --jobs-to in.tar",
      ] {
        let outcome = try shell("sha256sum new old patch >sums; \(line)")
        #expect(
          outcome.status == 64 && outcome.error.contains(" is the same file as "), "\(line): \(outcome)")
        #expect(try shell("sha256sum --quiet -c sums").status == 0, "\(line)")
      }
      // The old map makes way for the new one when that is verified.
      #expect(try shell("cp old map && $T patch map patch map && cmp map new").status == 0)
    }

    @Test("an output through a link replaces the file, not the link")
    func links() throws {
      for line in ["$P diff old new -q -o link", "$T patch old patch link"] {
        let outcome = try shell("mkdir -p to; echo >to/file; ln -sf to/file link; \(line) && test -L link")
        #expect(outcome.status == 0, "\(line): \(outcome)")
        #expect(try scratch.read("to/file").count > 1)
      }
    }

    @Test("- is standard output, but no terminal")
    func standardOutput() throws {
      let piped = try shell("$P diff old new -o - | cat >piped && cmp piped patch")
      #expect(piped.status == 0 && piped.error == "", "\(piped)")
      #expect(try shell("$T patch old patch - >made && cmp made new").status == 0)
      #expect(try shell("$P diff old new -o - | $T patch old - - | cmp - new").status == 0)
      #expect(try shell("$P diff old new -o - --json").status == 64)
      // Nothing is written of a file that turns out to be wrong in its last byte.
      let wrong = try shell("head -c -1 patch >cut; $T patch old cut -")
      #expect(wrong.status == 21 && wrong.output == "", "\(wrong)")
      for line in ["$P diff old new -o -", "$T patch old patch -"] {
        let outcome = try shell("script -qec '\(line)' /dev/null")
        #expect(
          outcome.status == 64 && outcome.output.contains("standard output is a terminal"), "\(outcome)")
      }
      #expect(try scratch.names("tmp") == [])
      #expect(try !scratch.exists("-"))
    }

    @Test("an input that is a pipe is read to its end, or refused; never taken for an empty file")
    func pipes() throws {
      for line in [
        "cat new | $P diff old /dev/stdin -q -o p", "$P diff old <(cat new) -q -o p",
        "$P diff <(cat old) new -q -o p",
      ] {
        let outcome = try shell("\(line) && cmp p patch")
        #expect(outcome.status == 0, "\(line): \(outcome)")
      }
      #expect(try shell("$T patch old <(cat patch) made && cmp made new").status == 0)
      try publish()
      for line in [
        "$T patch <(cat old) patch made2", "cat old | $T patch /dev/stdin patch made2",
        "$P inspect <(cat patch)", "$P release repository <(tar -C input -c .) -l 2",
      ] {
        let outcome = try shell("export TINYPUBLISH_PASSPHRASE_FILE=pass; \(line)")
        #expect(
          outcome.status == 24 && outcome.error.contains(" is a pipe, not a file"), "\(line): \(outcome)")
      }
      let endless = try shell("timeout 20 $P diff old /dev/zero -q -o p2")
      #expect(endless.status == 24 && endless.error.contains(" is a device, not a file"), "\(endless)")
      #expect(try !scratch.exists("made2") && !scratch.exists("p2"))
      #expect(
        try shell("$P diff /dev/null new -q -o packed && $T patch /dev/null packed m && cmp m new").status
          == 0)
    }

    @Test(
      "an input that shrinks while diff works is no signal: it has been copied, or the sentence says that it changed"
    )
    func shrinking() throws {
      // The copy is what is opened first: the file is cut as soon as there is one.
      let outcome = try shell(
        """
        head -c 500000 /dev/urandom | od -A n -t x1 >large
        $P diff old large -q -o p3 & pid=$!
        sleep 0.3; : >large; wait $pid
        """)
      #expect(
        outcome.status == 0 || outcome.status == 21 && outcome.error.contains("changed while"), "\(outcome)")
    }
  }
}
