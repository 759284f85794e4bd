import Glibc
import Platform
import TestSupport
import Testing

/// Which sources the static libraries are made from, with an archive that has deleted some of them.
@Suite("Pinned sources")
struct CrossTests {
  private let scratch: Scratch

  /// What `cross/sources.sh` asks of apt: it lists the versions in `listed`, and delivers those in `delivered`.
  private static let apt = """
    #!/bin/sh
    here=$(dirname "$0")/..
    case "$(basename "$0") $1 $2" in
    "apt-get update --print-uris") echo "'http://archive/debian/dists/bookworm/InRelease' x 0" ;;
    "apt-get update "*) [ ! -e "$here/offline" ] ;;
    "apt-cache showsrc "*) sed 's/^/Version: /' "$here/listed" ;;
    "apt-get source "*)
        for request; do :; done
        grep -qxF "${request#*=}" "$here/delivered" && touch source.dsc ;;
    *) echo "$0 $*: not expected" >&2; exit 64 ;;
    esac
    """

  init() throws {
    scratch = try Scratch("cross")
    try Programs.run("cp", "-r", "\(Checkout.root)/cross", "\(scratch.path)/cross")
    try Directory(opening: scratch.path).makeDirectory("bin")
    for tool in ["apt-get", "apt-cache"] {
      try scratch.write("bin/\(tool)", CrossTests.apt)
      try #require(chmod("\(scratch.path)/bin/\(tool)", 0o755) == 0)
    }
    try scratch.write("cross/pins", "# suite: bookworm\nexpat 2.5.0-1+deb12u2\n")
    try scratch.write("cross/pins.sha256", "\(CrossTests.emptyDigest)  source.dsc\n")
  }

  /// Of the file that `apt` delivers.
  private static let emptyDigest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  /// The versions that are taken, and the digest of what they are made into.
  private func take(listed: [String], delivered: [String]) throws -> (
    outcome: ChildProcess.Outcome, recipe: String
  ) {
    try scratch.write("listed", listed.map { $0 + "\n" }.joined())
    try scratch.write("delivered", delivered.map { $0 + "\n" }.joined())
    let outcome = try run(
      """
      set -euo pipefail; . \(scratch.path)/cross/common.sh; . \(scratch.path)/cross/sources.sh
      versions=$(taken_versions); echo "$versions"; recipe "$versions"
      """)
    return (outcome, outcome.output.parts(separatedBy: "\n").dropLast().last ?? "")
  }

  private func run(_ script: String) throws -> ChildProcess.Outcome {
    try ChildProcess.run(
      "bash", ["-c", script],
      environment: [
        "TINYUPDATER_CACHE": "\(scratch.path)/cache",
        "PATH": "\(scratch.path)/bin:\(environment("PATH") ?? "")",
      ])
  }

  /// Compares the pin with an index that has the versions in `listed`, all of which can be downloaded.
  private func compare(pin: String, listed: String...) throws -> ChildProcess.Outcome {
    try compare(pin: pin, listed: listed)
  }

  private func compare(pin: String, listed: [String]) throws -> ChildProcess.Outcome {
    try scratch.write("cross/pins", "# suite: bookworm\nexpat \(pin)\n")
    let versions = listed.map { $0 + "\n" }.joined()
    try scratch.write("listed", versions)
    try scratch.write("delivered", versions)
    return try run("\(scratch.path)/cross/check-pins")
  }

  private static let pinned = "2.5.0-1+deb12u2"

  @Test("a pinned version is used as long as the mirror has it")
  func pinned() throws {
    let made = try take(
      listed: [Self.pinned, "2.5.0-1+deb12u5"], delivered: [Self.pinned, "2.5.0-1+deb12u5"])
    #expect(made.outcome.status == 0 && made.outcome.output.hasPrefix("expat \(Self.pinned)\n"), "\(made)")
    #expect(made.outcome.error.isEmpty, "\(made)")
  }

  @Test("a file of a pinned version that is not the pinned one is refused, whoever delivers it")
  func otherFile() throws {
    try scratch.write("cross/pins.sha256", "\(String(CrossTests.emptyDigest.reversed()))  source.dsc\n")
    let made = try take(listed: [Self.pinned], delivered: [Self.pinned])
    #expect(made.outcome.status == 1, "\(made)")
    #expect(
      made.outcome.error.contains(
        "source.dsc of expat \(Self.pinned) has the digest \(CrossTests.emptyDigest)"))
  }

  @Test("in place of a deleted version the highest of its upstream branch is used, reported and recorded")
  func superseded() throws {
    let pinned = try take(listed: [Self.pinned], delivered: [Self.pinned]).recipe
    try Directory(opening: scratch.path).removeTree("cache")
    let served = [
      "2.5.0-1+deb12u1", "2.5.2-1~deb12u1", "2.5.0-1+deb12u10", "2.5.0-1+deb12u9", "2.6.0-1", "2.50.0-1",
    ]
    for (delivered, taken) in [(served, served[1]), ([served[0], served[3], served[4]], served[3])] {
      let made = try take(listed: served, delivered: delivered)
      #expect(made.outcome.status == 0 && made.outcome.output.hasPrefix("expat \(taken)\n"), "\(made)")
      #expect(made.outcome.error.contains("expat \(taken) in place of the pinned expat"), "\(made)")
      #expect(made.recipe.utf8.count == 16 && made.recipe != pinned)
      // It stays, whatever the archive has by then, and is said again.
      let again = try take(listed: [Self.pinned], delivered: [Self.pinned])
      #expect(again.outcome.output == made.outcome.output)
      #expect(again.outcome.error.contains("expat \(taken) in place of the pinned expat"), "\(again)")
      try Directory(opening: scratch.path).removeTree("cache")
    }
  }

  @Test("the bill of materials names a version that was taken in place of a pinned one, and the pin")
  func billOfMaterials() throws {
    let pinned = try #require(
      Programs.run("sed", "-n", "s/^expat *\\([^ ]*\\).*/\\1/p", "\(Checkout.root)/cross/pins")
        .parts(separatedBy: "\n").first)
    try Programs.run("mkdir", "-p", "\(scratch.path)/cache/sources")
    try scratch.write("cache/sources/expat_\(pinned).taken", "2.5.99-1\n")
    let outcome = try run("\(Checkout.root)/scripts/sbom")
    #expect(outcome.status == 0 && outcome.output.contains("\"version\": \"2.5.99-1\""), "\(outcome)")
    #expect(
      outcome.output.contains(
        "\"pinned as \(pinned), which Debian has deleted; this version was built instead\""), "\(outcome)")
  }

  @Test("a lower version or another upstream branch is never used automatically")
  func others() throws {
    let served = ["2.5.0-1+deb12u1", "2.6.0-1"]
    let made = try take(listed: served, delivered: served)
    #expect(made.outcome.status == 1)
    #expect(
      made.outcome.error.contains(
        "expat \(Self.pinned), which Debian no longer serves; raise it to one of: 2.5.0-1+deb12u1 2.6.0-1"))
  }

  @Test("a build from the newest version that Debian publishes is not disturbed")
  func newest() throws {
    let outcome = try compare(pin: Self.pinned, listed: "2.5.0-1+deb12u1", Self.pinned)
    #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome)")
  }

  @Test(
    "pins that are behind what Debian publishes are named in one sentence, which says where to raise them",
    arguments: ["", " known=2.5.0-1+deb12u3"])
  func behind(known: String) throws {
    let outcome = try compare(pin: Self.pinned + known, listed: Self.pinned, "2.6.0-1", "2.5.0-1+deb12u10")
    #expect(outcome.status == 3)
    #expect(
      outcome.error
        == "cross: Debian publishes newer versions than the pinned ones: expat 2.6.0-1 (2.5.0-1+deb12u2 is built); "
        + "raise them in cross/pins (cross/README.md, Pins): until then make dist and make deb refuse\n",
      "\(outcome)")
  }

  @Test(
    "the program is built whether the pins are behind, deleted or the newest; other failures stop the build")
  func build() throws {
    try scratch.write("cross/sysroot", "#!/bin/sh\necho sysroot $1 >&2\nexit 77\n")
    for listed in [[Self.pinned], [Self.pinned, "2.5.0-1+deb12u5"], ["2.5.1-1~deb12u1"], ["2.6.0-1"]] {
      _ = try compare(pin: Self.pinned, listed: listed)
      let outcome = try run("\(scratch.path)/cross/build x86_64 \(scratch.path)/program")
      let isBuilt = listed != ["2.6.0-1"]
      #expect(outcome.status == (isBuilt ? 77 : 1), "\(outcome)")
      #expect(outcome.error.hasSuffix("sysroot x86_64\n") == isBuilt, "\(outcome)")
      try Directory(opening: scratch.path).removeTree("cache")
    }
  }

  @Test(
    "a release refuses pins that are behind or deleted, before anything is built", arguments: ["dist", "deb"])
  func release(target: String) throws {
    try Programs.run("cp", "\(Checkout.root)/Makefile", "\(scratch.path)/Makefile")
    try Directory(opening: scratch.path).makeDirectory("scripts")
    for (script, text) in [("setup", ""), ("test-recipes", ""), (target, "echo packed")] {
      try scratch.write("scripts/\(script)", "#!/bin/sh\n\(text)\n")
      try #require(chmod("\(scratch.path)/scripts/\(script)", 0o755) == 0)
    }
    for (listed, sentence) in [
      ([Self.pinned, "2.5.0-1+deb12u5"], "newer versions than the pinned ones: expat 2.5.0-1+deb12u5"),
      (["2.5.1-1~deb12u1"], "built from other versions than the pinned ones: expat 2.5.1-1~deb12u1"),
      ([Self.pinned], nil),
    ] as [([String], String?)] {
      _ = try compare(pin: Self.pinned, listed: listed)
      // What is built does not matter here: make's recursion only says what it would build.
      let outcome = try run("make --silent -C \(scratch.path) MAKE='echo building' \(target)")
      let programs = target == "dist" ? "static library static-publisher" : "static library publisher"
      let built = sentence == nil ? "building \(programs)\npacked\n" : ""
      #expect((outcome.status == 0) == (sentence == nil) && outcome.output == built, "\(outcome)")
      #expect(sentence.map(outcome.error.contains) ?? outcome.error.isEmpty, "\(outcome)")
      try Directory(opening: scratch.path).removeTree("cache")
    }
  }

  @Test("the static publisher of another processor is refused: its Swift runtime library is not here")
  func otherProcessor() throws {
    let outcome = try run("\(scratch.path)/cross/static-publisher armv7 \(scratch.path)/program")
    #expect(outcome.status == 1, "\(outcome)")
    #expect(
      outcome.error.contains("the static publisher for armv7 takes Swift's runtime library for armv7 ("))
    #expect(outcome.error.hasSuffix("build it on a machine of that processor\n"), "\(outcome)")
  }

  @Test("a newer version that the pin names as known is reported, and the pin is built")
  func known() throws {
    let outcome = try compare(
      pin: "\(Self.pinned)   known=2.5.0-1+deb12u10", listed: "2.5.0-1+deb12u9", "2.5.0-1+deb12u10",
      Self.pinned)
    #expect(outcome.status == 0)
    #expect(
      outcome.error.hasSuffix(
        "expat \(Self.pinned) is built though Debian publishes 2.5.0-1+deb12u10, which cross/pins names as known\n"
      ),
      "\(outcome)")
    #expect(try take(listed: [], delivered: []).outcome.output.hasPrefix("expat \(Self.pinned)\n"))
  }

  @Test("a version taken in place of a deleted pin is named with it, and is what is compared")
  func takenRevision() throws {
    let outcome = try compare(pin: "\(Self.pinned) known=2.5.0-1+deb12u4", listed: "2.5.0-1+deb12u5")
    #expect(outcome.status == 3)
    #expect(
      outcome.error
        == "cross: known=2.5.0-1+deb12u4 of expat in cross/pins has no use any more: 2.5.0-1+deb12u5 is built\n"
        + "cross: Debian has deleted pinned versions, and the program is built from other versions than the pinned ones: "
        + "expat 2.5.0-1+deb12u5 (\(Self.pinned) is pinned); "
        + "raise them in cross/pins (cross/README.md, Pins): until then make dist and make deb refuse\n",
      "\(outcome)")
  }

  @Test("without a network the last index is used; without any index that is said, and the build continues")
  func offline() throws {
    _ = try take(listed: [Self.pinned], delivered: [Self.pinned])
    try scratch.write("offline", "")
    let without = try compare(pin: Self.pinned)
    #expect(
      without.status == 0 && without.error.contains("Debian's index cannot be fetched now"), "\(without)")
    #expect(without.error.contains("Debian's index has no expat"), "\(without)")
    // One that is a day old and names a newer version.
    try Programs.run("touch", "-d", "yesterday", "\(scratch.path)/cache/apt/compared")
    let old = try compare(pin: Self.pinned, listed: "2.5.0-1+deb12u5")
    #expect(old.status == 3 && old.error.contains("the pins are compared with the one of "), "\(old)")
  }
}
