import Testing

@testable import MapModel

@Suite("Operation")
struct OperationTests {
  @Test(
    "what is wanted is what is installed, with or without what is asked for",
    arguments: [
      (.update(), "a/x", true, true), (.update(), "a/x", false, false), (.install(["a"]), "a/x", false, true),
      (.install(["a"]), "b", false, false), (.install(["a"]), "b", true, true),
      (.uninstall(["a"]), "a/x", true, false), (.uninstall(["a"]), "b", true, true),
      (.uninstall(["a"]), "b", false, false),
    ] as [(Operation, String, Bool, Bool)])
  func wants(operation: Operation, id: String, isInstalled: Bool, expected: Bool) {
    #expect(operation.wants(id, isInstalled: isInstalled) == expected)
  }

  @Test(
    "operations are equal if they are of one kind and name the same bytes in the same order",
    arguments: [
      (.update(), .update(), true), (.update(), .update(of: ["a"]), false),
      (.install(["a", "b"], except: ["b/c"]), .install(["a", "b"], except: ["b/c"]), true),
      (.install(["a", "b"]), .install(["b", "a"]), false),
      (.install(["a"], except: ["a/b"]), .install(["a"]), false),
      (.install(["a"]), .uninstall(["a"]), false), (.uninstall(["a"]), .uninstall(["a"]), true),
      (.install([composed]), .install([composed]), true),
      (.install([composed]), .install([decomposed]), false),
      (.update(of: [composed]), .update(of: [decomposed]), false),
      (.uninstall(["a"], except: ["a/\(composed)"]), .uninstall(["a"], except: ["a/\(decomposed)"]), false),
    ] as [(Operation, Operation, Bool)])
  func equality(a: Operation, b: Operation, expected: Bool) {
    #expect((a == b) == expected)
    #expect((b == a) == expected)
  }

  @Test(
    "an operation concerns the nodes that it names, and those above and below them",
    arguments: [
      (.update(), ["a"], true), (.update(), [], true), (.install(["a/x"]), [], true),
      (.install(["a/x"]), ["a/x"], true), (.install(["a/x"]), ["a"], true),
      (.install(["a/x"]), ["a/x/1"], true), (.install(["a/x"]), ["a/y"], false),
      (.install(["a/x"]), ["b", "a/y"], false), (.install(["a/x"]), ["b", "a/x"], true),
      (.uninstall(["a/x", "b"]), ["b/1"], true), (.uninstall(["a/x"]), ["a/xx"], false),
      (.install([composed]), [decomposed], false),
    ] as [(Operation, [String], Bool)])
  func concerns(operation: Operation, ids: [String], expected: Bool) {
    #expect(operation.concerns(ids) == expected)
  }

  @Test(
    "what is left of an operation after some nodes are cancelled",
    arguments: [
      (.update(), ["a"], nil), (.update(of: ["a"]), ["a"], nil), (.install(["a"]), [], nil),
      (.install(["a"]), ["a"], nil), (.install(["a/x", "a/y"]), ["a"], nil),
      (.install(["a", "b"]), ["a"], .install(["b"])),
      (.install(["a"]), ["a/x"], .install(["a"], except: ["a/x"])),
      (.install(["a"], except: ["a/x"]), ["a/x"], .install(["a"], except: ["a/x"])),
      (.install(["a"], except: ["a/x"]), ["a/y"], .install(["a"], except: ["a/x", "a/y"])),
      (.install(["a"]), ["b"], .install(["a"])),
      (.uninstall(["a", "b"], except: ["a/x"]), ["b", "a/y"], .uninstall(["a"], except: ["a/x", "a/y"])),
      (
        .install(["a"], except: ["a/\(composed)"]), ["a/\(decomposed)"],
        .install(["a"], except: ["a/\(composed)", "a/\(decomposed)"])
      ),
    ] as [(Operation, [String], Operation?)])
  func without(operation: Operation, cancelled: [String], expected: Operation?) {
    #expect(operation.without(cancelled) == expected)
  }
}

/// The same letter in one scalar and in two: equal as `String`, and not as bytes.
private let (composed, decomposed) = ("\u{e9}", "e\u{301}")
