import TestSupport
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
      (.uninstall(["a"]), "b", false, false), (.repair(["a"]), "b", true, true),
      (.repair(["a"]), "a", false, false),
    ] as [(Operation, PackageID, Bool, Bool)])
  func wants(operation: Operation, id: PackageID, isInstalled: Bool, expected: Bool) {
    #expect(operation.wants(id, isInstalled: isInstalled) == expected)
  }

  @Test(
    "damage is mended by updates and installs, and by repairs of what they name",
    arguments: [
      (.update(), true), (.install(["b"]), true), (.uninstall(["b"]), false), (.repair(), true),
      (.repair(["a"]), true), (.repair(["b"]), false),
    ] as [(Operation, Bool)])
  func mends(operation: Operation, expected: Bool) { #expect(operation.mends("a/x") == expected) }

  @Test(
    "operations are equal if they are of one kind and name the same bytes in the same order",
    arguments: [
      Pair(.update(), .update(), true), Pair(.update(), .update(of: ["a"]), false),
      Pair(.install(["a", "b"], except: ["b/c"]), .install(["a", "b"], except: ["b/c"]), true),
      Pair(.install(["a", "b"]), .install(["b", "a"]), false),
      Pair(.install(["a"], except: ["a/b"]), .install(["a"]), false),
      Pair(.install(["a"]), .uninstall(["a"]), false), Pair(.uninstall(["a"]), .uninstall(["a"]), true),
      Pair(.install([composed]), .install([composed]), true),
      Pair(.install([composed]), .install([decomposed]), false),
      Pair(.update(of: [composed]), .update(of: [decomposed]), false),
      Pair(.uninstall(["a"], except: [composed]), .uninstall(["a"], except: [decomposed]), false),
    ])
  fileprivate func equality(pair: Pair) {
    #expect((pair.a == pair.b) == pair.areEqual)
    #expect((pair.b == pair.a) == pair.areEqual)
  }

  @Test(
    "an operation concerns the nodes that it names, and those above and below them",
    arguments: [
      Concern(.update(), ["a"], true), Concern(.update(), [], true), Concern(.install(["a/x"]), [], true),
      Concern(.install(["a/x"]), ["a/x"], true), Concern(.install(["a/x"]), ["a"], true),
      Concern(.install(["a/x"]), ["a/x/1"], true), Concern(.install(["a/x"]), ["a/y"], false),
      Concern(.install(["a/x"]), ["b", "a/y"], false), Concern(.install(["a/x"]), ["b", "a/x"], true),
      Concern(.uninstall(["a/x", "b"]), ["b/1"], true), Concern(.uninstall(["a/x"]), ["a/xx"], false),
      Concern(.install([composed]), [decomposed], false), Concern(.repair(), ["a"], true),
      Concern(.repair(["a"]), ["a/x"], true), Concern(.repair(["a"]), ["b"], false),
    ])
  fileprivate func concerns(row: Concern) {
    #expect(row.operation.concerns(row.ids) == row.expected)
  }

  @Test(
    "what is left of an operation after some nodes are cancelled",
    arguments: [
      Rest(.update(), ["a"], nil), Rest(.update(of: ["a"]), ["a"], nil), Rest(.install(["a"]), [], nil),
      Rest(.install(["a"]), ["a"], nil), Rest(.install(["a/x", "a/y"]), ["a"], nil),
      Rest(.install(["a", "b"]), ["a"], .install(["b"])),
      Rest(.install(["a"]), ["a/x"], .install(["a"], except: ["a/x"])),
      Rest(.install(["a"], except: ["a/x"]), ["a/x"], .install(["a"], except: ["a/x"])),
      Rest(.install(["a"], except: ["a/x"]), ["a/y"], .install(["a"], except: ["a/x", "a/y"])),
      Rest(.install(["a"]), ["b"], .install(["a"])), Rest(.repair(), ["a"], nil),
      Rest(.repair(["a", "b"]), ["a"], .repair(["b"])), Rest(.repair(["a"]), ["a/x"], nil),
      Rest(
        .uninstall(["a", "b"], except: ["a/x"]), ["b", "a/y"], .uninstall(["a"], except: ["a/x", "a/y"])),
      Rest(
        .install(["a"], except: [composed]), [decomposed],
        .install(["a"], except: [composed, decomposed])
      ),
    ])
  fileprivate func without(row: Rest) {
    #expect(row.operation.without(row.cancelled) == row.rest)
  }
}

/// Two operations.
private struct Pair {
  let a: Operation
  let b: Operation
  let areEqual: Bool

  init(_ a: Operation, _ b: Operation, _ areEqual: Bool) {
    self.a = a
    self.b = b
    self.areEqual = areEqual
  }
}

/// An operation, and ids that it concerns or not.
private struct Concern {
  let operation: Operation
  let ids: [PackageID]
  let expected: Bool

  init(_ operation: Operation, _ ids: [PackageID], _ expected: Bool) {
    self.operation = operation
    self.ids = ids
    self.expected = expected
  }
}

/// What is left of an operation.
private struct Rest {
  let operation: Operation
  let cancelled: [PackageID]
  let rest: Operation?

  init(_ operation: Operation, _ cancelled: [PackageID], _ rest: Operation?) {
    self.operation = operation
    self.cancelled = cancelled
    self.rest = rest
  }
}

/// The same letter in one scalar and in two: equal as `String`, and not as bytes.
private let (composed, decomposed) = ("a/\u{e9}" as PackageID, "a/e\u{301}" as PackageID)
