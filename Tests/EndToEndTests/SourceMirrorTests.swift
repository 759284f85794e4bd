import Platform
import TestSupport
import Testing

/// How pinned sources come to a machine that need not be a Debian one.
@Suite("Sources from a mirror")
struct SourceMirrorTests {
  private let scratch: Scratch
  private let system: OtherSystem

  init() throws {
    scratch = try Scratch("mirror")
    system = try OtherSystem("bin", in: scratch)
    try Programs.run("cp", "-r", "\(Checkout.root)/cross", "\(scratch.path)/cross")
    try scratch.write("cross/pins", "# suite: bookworm\nlibx 1:1.0-2\n")
    try makeSources()
  }

  /// A source package of Debian's format, in the pool of a mirror.
  private func makeSources() throws {
    try scratch.write("orig/libx-1.0/made.c", "made\n")
    try scratch.write("orig/libx-1.0/source.y", "one\n")
    try scratch.write("orig/libx-1.0/gone", "gone\n")
    let header = "--- a/source.y\n+++ b/source.y\n@@ -1 +1 @@\n"
    try scratch.write("tree/debian/patches/second", "\(header)-two\n+three\n")
    try scratch.write("tree/debian/patches/first/one", "\(header)-one\n+two\n")
    try scratch.write("tree/debian/patches/last", "--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n")
    try scratch.write("tree/debian/patches/series", "# of Debian's\nfirst/one -p1\n\nsecond # why\nlast\n")
    try scratch.write(
      "tree/debian/changelog",
      """
      libx (1:1.0-2) unstable; urgency=medium

       -- Somebody <somebody@example.com>  Thu, 01 Jan 2026 00:00:10 +0000

      libx (1:1.0-1) unstable; urgency=medium

       -- Somebody <somebody@example.com>  Wed, 01 Jan 2025 00:00:00 +0000

      """)
    try scratch.makeDirectory("mirror/debian/pool/main/libx/libx")
    let pool = "\(scratch.path)/mirror/debian/pool/main/libx/libx"
    try Programs.run("tar", "-czf", "\(pool)/libx_1.0.orig.tar.gz", "-C", "\(scratch.path)/orig", "libx-1.0")
    try Programs.run(
      "tar", "-cJf", "\(pool)/libx_1.0-2.debian.tar.xz", "-C", "\(scratch.path)/tree", "debian")
    try scratch.write("cross/pins.sha256", try Programs.run("sh", "-c", "cd \(pool) && sha256sum *"))
  }

  /// `mirror` is what TINYUPDATER_MIRROR says.
  private func run(_ script: String, mirror: String) throws -> ChildProcess.Outcome {
    try ChildProcess.run(
      "bash",
      [
        "-c",
        "set -euo pipefail; . \(scratch.path)/cross/common.sh; . \(scratch.path)/cross/sources.sh; \(script)",
      ],
      environment: [
        "PATH": system.path, "TINYUPDATER_CACHE": "\(scratch.path)/cache", "TINYUPDATER_MIRROR": mirror,
      ])
  }

  private var mirrors: String { "file:///nothing/debian file://\(scratch.path)/mirror/debian/" }

  @Test("pinned sources come from the first mirror that has them, without any of Debian's tools")
  func pinned() throws {
    let outcome = try run("taken_versions", mirror: mirrors)
    #expect(outcome.status == 0 && outcome.output == "libx 1:1.0-2\n" && outcome.error.isEmpty, "\(outcome)")
  }

  @Test("they are unpacked with Debian's patches, in their order")
  func unpacked() throws {
    let tree = "\(scratch.path)/unpacked"
    let outcome = try run(
      """
      unpack libx \(tree); cd \(tree); changed; cat source.y made.c; ls
      [ source.y -nt debian/changelog ] && echo newer
      """, mirror: mirrors)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output == "1767225610\nthree\nmade\ndebian\nmade.c\nsource.y\nnewer\n", "\(outcome)")
  }

  @Test("a patch that does not fit ends the build")
  func otherPatch() throws {
    try scratch.write("orig/libx-1.0/source.y", "none\n")
    let pool = "\(scratch.path)/mirror/debian/pool/main/libx/libx"
    try Programs.run("tar", "-czf", "\(pool)/libx_1.0.orig.tar.gz", "-C", "\(scratch.path)/orig", "libx-1.0")
    try scratch.write("cross/pins.sha256", try Programs.run("sh", "-c", "cd \(pool) && sha256sum *"))
    // As the builds do: what a list of commands is made of does not end the shell.
    let outcome = try run("unpack libx \(scratch.path)/unpacked && echo unpacked", mirror: mirrors)
    #expect(outcome.status != 0 && !outcome.output.contains("unpacked"), "\(outcome)")
  }

  @Test("what a mirror has in place of a pinned file is refused")
  func otherFile() throws {
    try scratch.write("mirror/debian/pool/main/libx/libx/libx_1.0.orig.tar.gz", "other\n")
    let outcome = try run("taken_versions", mirror: mirrors)
    #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
    #expect(outcome.error.contains("libx_1.0.orig.tar.gz of libx 1:1.0-2 has the digest "), "\(outcome)")
  }

  @Test(
    "without a mirror, or one that has the sources, a sentence says what to do",
    arguments: [
      ("", "this machine knows no mirror of Debian; name one in TINYUPDATER_MIRROR"),
      ("file:///nothing", "without apt only the pinned versions can be downloaded, from: file:///nothing\n"),
    ])
  func none(mirror: String, sentence: String) throws {
    let outcome = try run("taken_versions", mirror: mirror)
    #expect(outcome.status == 1 && outcome.error.contains(sentence), "\(outcome)")
  }

  @Test("mirrors are those of this machine's apt, whatever release of Debian it has")
  func fromApt() throws {
    let listing = [
      "debian/dists/trixie", "debian/dists/trixie-updates", "debian-security/dists/trixie-security",
      "other/dists/x",
    ]
    .map { "'http://archive/\($0)/InRelease' archive 0" }.joined(separator: "\n")
    try scratch.write("listing", listing + "\n")
    try scratch.write("bin/apt-get", "#!/bin/sh\ncat \(scratch.path)/listing\n")
    try Programs.run("chmod", "+x", "\(system.path)/apt-get")
    let outcome = try run("mirrors; source_lines | sed 's/.*] //'", mirror: "")
    #expect(
      outcome.output == """
        http://archive/debian
        http://archive/debian-security
        http://archive/debian bookworm main
        http://archive/debian bookworm-updates main
        http://archive/debian-security bookworm-security main

        """, "\(outcome)")
  }
}
