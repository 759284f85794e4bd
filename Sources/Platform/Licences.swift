/// What the programs are made of and under which terms, as `--licenses` prints it; `scripts/notices` has the whole texts.
package enum Licences {
  /// Of both programs.
  package static var text: String {
    """
    TinyUpdater            Apache-2.0 WITH Swift-exception (LICENSE.txt)

    with, linked into it:
    Swift runtime library  Apache-2.0 WITH Swift-exception; Apple Inc. and the Swift project authors
    OpenSSL                Apache-2.0; the OpenSSL authors
    curl                   curl; Daniel Stenberg and many contributors
    libarchive             BSD-2-Clause; Tim Kientzle and others
    liblzma (xz)           public domain; Lasse Collin and others
    zlib (altered)         Zlib; Jean-loup Gailly and Mark Adler
    expat                  MIT; Thai Open Source Software Center Ltd, Clark Cooper, the Expat maintainers

    """
  }
  /// What else is in the device's program.
  package static var ofDevice: String {
    "musl                   MIT; Rich Felker and others\n" + place("tinyupdater")
  }
  /// What else is in the publisher's program.
  package static var ofPublisher: String {
    "swift-argument-parser  Apache-2.0 WITH Swift-exception; Apple Inc. and the Swift project authors\n"
      + "glibc                  LGPL-2.1-or-later; the GNU C library's authors; in the static program\n"
      + "libstdc++ (GCC)        GPL-3.0-or-later WITH GCC-exception-3.1; the GCC authors; in the static program\n"
      + place("tinypublish")
  }

  private static func place(_ program: String) -> String {
    "\nThe whole texts are in NOTICES.txt of a release, and in /usr/share/doc/\(program)/copyright.\n"
  }
}
