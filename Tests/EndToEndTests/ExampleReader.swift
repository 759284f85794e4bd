import Foundation
import TestSupport
import Testing

/// The examples of programs that read maps: the same one in several languages.
enum ExampleReader: CaseIterable {
  /// C, by the contract of `docs/readers.md` and without the library.
  case byHand
  case c, cShared, swift, python

  /// Its command line, and what its environment has to have.
  func command(in scratch: borrowing Scratch) throws -> (words: [String], environment: [String: String]) {
    let examples = "\(Checkout.root)/config/examples"
    let program = "\(scratch.path)/reader-\(self)"
    switch self {
    case .byHand:
      try NavigationLibrary.compile("\(examples)/reader-without-library.c", to: program, [])
      return ([program], [:])
    case .c:
      let library = try NavigationLibrary.directory()
      try NavigationLibrary.compile(
        "\(examples)/reader.c", to: program, ["-I\(library)/include", "\(library)/lib/libtinyupdater.a"])
      return ([program], [:])
    case .cShared:
      // As the manual page says.
      let library = try NavigationLibrary.directory()
      let flags = try ChildProcess.run(
        "pkg-config", ["--cflags", "--libs", "tinyupdater"],
        environment: ["PKG_CONFIG_PATH": "\(library)/lib/pkgconfig"])
      #expect(flags.status == 0, "\(flags.error)")
      try NavigationLibrary.compile(
        "\(examples)/reader.c", to: program,
        flags.output.split(whereSeparator: { $0.isWhitespace }).map(String.init))
      return ([program], ["LD_LIBRARY_PATH": "\(library)/lib"])
    case .swift:
      let path = try #require(Checkout.products.map { "\($0)/ReaderExample" })
      guard Checkout.isFile(path) else { throw Unmet("\(path) is missing; \"swift build\" builds it") }
      return ([path], [:])
    case .python:
      return (
        ["python3", "\(examples)/reader.py"],
        [
          "PYTHONPATH": "\(Checkout.root)/bindings/python", "PYTHONDONTWRITEBYTECODE": "1",
          "TINYUPDATER_LIBRARY": "\(try NavigationLibrary.directory())/lib/libtinyupdater.so.1",
        ]
      )
    }
  }
}
