import Codec
import DeltaApply
import DeltaTestSupport
import PatchFormat
import TestSupport
import Testing

/// What a patch says of streams and cannot be.
@Suite("Contradictory streams")
struct StreamContradictionTests {
  private static let content = Array("the same words again and again, and again the same words".utf8)
  private static let stream: [UInt8] = made(content)
  /// Bytes that are not a stream, then a stream.
  private static let old = CraftedPatch.old + stream
  /// Five bytes, the stream, five bytes.
  private static let newSize = stream.count + 10

  private static func made(_ content: [UInt8]) -> [UInt8] {
    do { return try deflated(content, CraftedTarget.usual) } catch { fatalError("\(error)") }
  }

  private static var target: CraftedTarget {
    CraftedTarget(
      gap: 5, contentSize: content.count, destinations: [[0, stream.count]], sources: [[100, stream.count]])
  }

  private static var literals: [UInt8] { [1, 2, 3, 4, 5] + content + [6, 7, 8, 9, 10] }

  /// Applies a block that would be right if `change` did nothing.
  private static func apply(
    literals: [UInt8] = literals, targets: [UInt8] = [], content: Int = 4096,
    _ change: (inout CraftedTarget) -> Void = { _ in }
  ) throws -> [UInt8] {
    var target = target
    change(&target)
    let block = craftBlock(targets: target.encoded + targets, literals: literals)
    return try apply(block, content: content)
  }

  private static func apply(_ blocks: [UInt8], content: Int = 4096) throws -> [UInt8] {
    try CraftedPatch.streams(blocks, old: old.count, new: newSize, content: content).apply(to: old)
  }

  /// A changed target, and how it is refused.
  struct Bad: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let error: DeltaError
    let change: @Sendable (inout CraftedTarget) -> Void

    init(
      _ name: String, _ error: DeltaError = .badBlock(at: 5),
      _ change: @escaping @Sendable (inout CraftedTarget) -> Void
    ) {
      testDescription = name
      self.error = error
      self.change = change
    }
  }

  @Test("the unchanged target is right")
  func right() throws {
    #expect(try Self.apply() == [1, 2, 3, 4, 5] + Self.stream + [6, 7, 8, 9, 10])
  }

  @Test(
    "a target that contradicts itself, or the files",
    arguments: [
      Bad("no content") { $0.contentSize = 0 },
      Bad("a content larger than any file") { $0.contentSize = 1 << 48 + 1 },
      Bad("a content as large as no number") { $0.contentSize = 1 << 62 },
      Bad("a content smaller than what makes the stream") { $0.contentSize = content.count - 20 },
      Bad("no destinations") { $0.destinations = [] },
      Bad("a destination of nothing") { $0.destinations += [[0, 0]] },
      Bad("a destination before where the stream begins") { $0.destinations[0][0] = -1 },
      Bad("a destination before the file") { $0.destinations[0][0] = -6 },
      Bad("a destination far before the file") { $0.destinations[0][0] = -(1 << 61) },
      Bad("a destination that goes beyond the file") { $0.destinations[0][0] = 6 },
      Bad("a destination after the end of the file") { $0.destinations[0][0] = newSize },
      Bad("a destination far after the end of the file") { $0.destinations[0][0] = 1 << 61 },
      Bad("a destination larger than the file") { $0.destinations[0][1] = 1 << 62 },
      Bad("a destination that the stream does not fill") { $0.destinations[0][1] += 1 },
      Bad("a destination that the stream overfills") { $0.destinations[0][1] -= 1 },
      Bad("a destination too many") { $0.destinations += [[0, 1]] },
      Bad("destinations that are the same") { $0.destinations += [[-stream.count, stream.count]] },
      Bad("destinations that share a byte") { $0.destinations = [[0, 10], [-1, stream.count - 10]] },
      Bad("a destination within another one") {
        $0.destinations = [[1, stream.count - 1], [2 - stream.count, 1]]
      },
      Bad("extents of which the second shares a byte with the first") {
        $0.destinations = [[10, stream.count - 10], [-stream.count, 11]]
      },
      Bad("destinations without end") { $0.destinations = [[Int]](repeating: [0, 1], count: 5000) },
      Bad("an unknown wrapper of the old stream") { $0.wrapper = 3 },
      Bad("another wrapper of the old stream", .codec(.corrupt)) { $0.wrapper = 2 },
      Bad("an old extent of nothing") { $0.sources = [[100, 0]] },
      Bad("old extents without end") { $0.sources = [[Int]](repeating: [0, 1], count: 5000) },
      Bad("an old extent that goes beyond the file", .outsideSource(at: 5)) { $0.sources[0][0] += 1 },
      Bad("an old extent after the end of the file", .outsideSource(at: 5)) { $0.sources[0][0] = old.count },
      Bad("an old extent far after the end of the file", .outsideSource(at: 5)) {
        $0.sources[0][0] = 1 << 61
      },
      Bad("an old extent before the file", .outsideSource(at: 5)) { $0.sources[0][0] = -1 },
      Bad("an old extent larger than the file", .outsideSource(at: 5)) { $0.sources[0][1] = 1 << 62 },
      Bad("an old extent that is not a stream", .codec(.corrupt)) { $0.sources = [[3, 20]] },
      Bad("an old stream that begins later", .codec(.corrupt)) { $0.sources = [[102, stream.count - 2]] },
      Bad("an old stream without its end", .codec(.truncated)) { $0.sources[0][1] -= 1 },
      Bad("an old stream with trailing bytes", .codec(.corrupt)) {
        $0.sources += [[-stream.count, 1]]
      },
      Bad("an old stream twice", .codec(.corrupt)) { $0.sources += [[-stream.count, stream.count]] },
      Bad("parameters of level 0") { $0.parameters[0] = 15 << 4 },
      Bad("parameters of level 10") { $0.parameters[0] = 10 | 15 << 4 },
      Bad("parameters of a window that is too small") { $0.parameters[0] = 6 | 8 << 4 },
      Bad("parameters of no memory") { $0.parameters[1] = 0 },
      Bad("parameters of too much memory") { $0.parameters[1] = 10 },
      Bad("parameters of an unknown strategy") { $0.parameters[1] = 8 | 5 << 4 },
      Bad("parameters of an unknown wrapper") { $0.parameters[2] = 3 },
    ])
  func target(bad: Bad) {
    #expect(throws: bad.error) { _ = try Self.apply(bad.change) }
  }

  @Test("a stream that begins after the bytes of its block", arguments: [67, 100, 1 << 62])
  func late(gap: Int) {
    do {
      _ = try Self.apply { $0.gap = gap }
      Issue.record("it was taken")
    } catch let error as DeltaError {
      if case .badBlock = error { return }
      Issue.record("\(error)")
    } catch { Issue.record("\(error)") }
  }

  @Test("a content that is larger than its bytes leaves the stream open")
  func openStream() {
    #expect(throws: DeltaError.badSection(at: 5)) {
      _ = try Self.apply { $0.contentSize = Self.content.count + 20 }
    }
  }

  @Test("a section ends with a destination open")
  func openPlace() {
    #expect(throws: DeltaError.badSection(at: 7)) {
      _ = try Self.apply(literals: Array(Self.literals.dropLast(3))) { $0.destinations[0][0] = 3 }
    }
  }

  @Test("a stream is left over in the block, or bytes that lead to none")
  func leftOver() {
    let target = Self.target.encoded
    for targets in [target, [1], [200], [0x80], [5] + target.dropLast()] as [[UInt8]] {
      do {
        _ = try Self.apply(targets: targets)
        Issue.record("\(targets)")
      } catch { #expect(error is DeltaError) }
    }
    // Nothing of the content is in the block.
    let only = craftBlock(targets: target, literals: [1, 2, 3, 4, 5])
    let rest = craftBlock(literals: Self.content + [6, 7, 8, 9, 10])
    #expect(throws: DeltaError.badBlock(at: 0)) { _ = try Self.apply(only + rest) }
  }

  @Test("a stream begins or ends within an operation")
  func inOperation() throws {
    let count = UInt64(Self.content.count)
    for (copies, literals) in [
      ([0, 0, 6], Self.content.dropFirst() + [6, 7, 8, 9, 10]),
      ([5, 0, count + 1], [1, 2, 3, 4, 5, 7, 8, 9, 10]),
      ([5, 0, count - 1, 0, 0, 2], [1, 2, 3, 4, 5, 8, 9, 10]),
    ] as [([UInt64], [UInt8])] {
      let block = craftBlock(copies: copies, targets: Self.target.encoded, literals: literals)
      do {
        _ = try Self.apply(block)
        Issue.record("\(copies)")
      } catch { #expect(error is DeltaError, "\(copies): \(error)") }
    }
    // The same with the border where it belongs.
    let block = craftBlock(
      copies: [0, 0, 5, 0, 0, count], targets: Self.target.encoded, literals: [6, 7, 8, 9, 10])
    #expect(try Self.apply(block) == [0, 1, 2, 3, 4] + Self.stream + [6, 7, 8, 9, 10])
  }

  @Test("inside a stream only old content is read")
  func insideStream() {
    let count = UInt64(Self.content.count)
    let bytes: [UInt8] = [1, 2, 3, 4, 5]
    for (operation, copies) in [
      (1, [5, 0, 1]), (3, [5, 0, 1]), (0, [5, step(-1), 1]), (0, [5, 0, count + 1]), (0, [5, count << 1, 1]),
      (2, [5, step(-8), 1]), (2, [5, (count - 7) << 1, 1]), (7, [5, step(60), 1]),
    ] as [(UInt8, [UInt64])] {
      let block = craftBlock(
        operations: [operation], copies: copies, targets: Self.target.encoded,
        literals: bytes + Self.content + bytes)
      #expect(throws: DeltaError.outsideSource(at: 5), "\(operation) \(copies)") { _ = try Self.apply(block) }
    }
  }

  @Test("without an old stream no old content is read")
  func noSource() {
    var target = Self.target
    target.sources = []
    let block = craftBlock(
      copies: [5, 0, 1], targets: target.encoded, literals: [1, 2, 3, 4, 5] + Self.content)
    #expect(throws: DeltaError.outsideSource(at: 5)) { _ = try Self.apply(block) }
  }

  @Test("a patch without an old file has no old streams, and one without contents no streams")
  func nothingThere() {
    let block = craftBlock(targets: Self.target.encoded, literals: Self.literals)
    #expect(throws: DeltaError.outsideSource(at: 5)) {
      _ = try CraftedPatch.streams(block, old: 0, new: Self.newSize).apply()
    }
    #expect(throws: DeltaError.badBlock(at: 5)) { _ = try Self.apply(content: 0) }
  }

  @Test("a unit or a number does not continue after a destination of a stream")
  func acrossPlace() {
    for (operation, copies, numbers) in [
      (PatchOperation.copyOldReversed(unit: 1), [0, 1], []), (.numbers(0), [1], [4]),
    ] as [(PatchOperation, [UInt64], [UInt64])] {
      var target = CraftedTarget(contentSize: Self.content.count, destinations: [[4, Self.stream.count]])
      for (start, isTaken) in [(8, true), (4, false)] {
        target.destinations[0][0] = start
        let block = craftBlock(
          operations: [operation.byte], copies: [UInt64(Self.content.count)] + copies, numbers: numbers,
          targets: target.encoded, literals: Self.content + [1, 2])
        if isTaken {
          #expect(throws: Never.self) { _ = try Self.apply(block) }
        } else {
          #expect(throws: DeltaError.badBlock(at: 0)) { _ = try Self.apply(block) }
        }
      }
    }
  }

  @Test("every beginning of a target is refused")
  func prefixes() {
    let target = Self.target.encoded
    for count in 1..<target.count {
      let block = craftBlock(targets: Array(target[..<count]), literals: Self.literals)
      do {
        _ = try Self.apply(block)
        Issue.record("\(count) bytes")
      } catch { #expect(error is DeltaError) }
    }
  }

  @Test("every byte of a target with every other value is refused, or makes a file of the same size")
  func changedBytes() {
    let target = Self.target.encoded
    var taken = 0
    for index in target.indices {
      for value in 0...255 as ClosedRange<UInt8> where value != target[index] {
        var changed = target
        changed[index] = value
        do {
          let made = try Self.apply(craftBlock(targets: changed, literals: Self.literals))
          #expect(made.count == Self.newSize)
          taken += 1
        } catch { #expect(error is DeltaError) }
      }
    }
    // The destination, and parameters that make as many bytes, may be others.
    #expect((1..<200).contains(taken))
  }
}
