import Crypto
import DeltaApply
import DeltaCreate
import DeltaTestSupport
import PatchFormat
import TestSupport
import Testing

@Suite("Checkpoints")
struct CheckpointTests {
  /// The fixture, applied once, and the checkpoints that were reached.
  private struct Run {
    let fixture: Fixture
    let points: [Checkpoint]

    init(seed: UInt64 = 77) throws {
      fixture = try Fixture(seed: seed)
      var applier = MemoryApplier(old: fixture.old)
      _ = try applier.apply(fixture.patch.bytes, expectedHead: fixture.patch.headDigest)
      points = applier.points
    }

    /// Resumes at `point`, with this as the partial file.
    func apply(from point: Checkpoint, partial: [UInt8], memoryLimit: UInt64 = 8 << 20) throws(DeltaError)
      -> [UInt8]
    {
      var applier = MemoryApplier(old: fixture.old)
      applier.memoryLimit = memoryLimit
      applier.newSize = UInt64(fixture.new.count)
      return try applier.apply(
        fixture.patch.bytes, expectedHead: fixture.patch.headDigest, from: point, partial: partial)
    }
  }

  @Test("checkpoints are in order, and name the digests of their frames")
  func points() throws {
    let run = try Run()
    #expect(run.points.count >= 3)
    for (point, next) in zip(run.points, run.points.dropFirst()) {
      #expect(point.completed < next.completed)
      #expect(point.containerOffset < next.containerOffset)
    }
    for point in run.points {
      #expect(point.head == run.fixture.patch.head)
      let rest = Array(run.fixture.patch.bytes[Int(point.containerOffset)...])
      let parsed = FrameHeader(parsing: rest.span.bytes)
      let header = try #require(parsed)
      #expect(header.start == point.completed)
      let frame = rest.prefix(header.encoded().count + Int(header.payloadSize))
      #expect(try Crypto.Hasher.digest(of: Array(frame).span.bytes) == point.frame)
    }
  }

  @Test("from every checkpoint the same file is made, whatever follows the complete bytes")
  func everyPoint() throws {
    let run = try Run()
    let new = run.fixture.new
    for point in run.points {
      let done = Array(new[..<Int(point.completed)])
      for partial in [
        done, done + [0xee, 0xee], done + [UInt8](repeating: 0xee, count: new.count - done.count),
      ] {
        #expect(try run.apply(from: point, partial: partial) == new)
      }
    }
  }

  @Test("a stored checkpoint is read back, and makes the same file")
  func stored() throws {
    let run = try Run()
    for point in run.points {
      let bytes = try point.encoded()
      #expect(bytes.count == Checkpoint.encodedSize)
      let parsed = Checkpoint(parsing: bytes.span.bytes)
      let read = try #require(parsed)
      #expect(read == point)
      let partial = Array(run.fixture.new[..<Int(point.completed)])
      #expect(try run.apply(from: read, partial: partial) == run.fixture.new)
    }
  }

  @Test("the bytes of a stored checkpoint are where the document says")
  func layout() throws {
    let run = try Run()
    let point = run.points[1]
    let bytes = try point.encoded()
    let integer = { (at: Int) in (0..<8).reduce(0 as UInt64) { $0 | UInt64(bytes[at + $1]) << UInt64(8 * $1) }
    }
    #expect(integer(0) == point.containerOffset)
    #expect(integer(8) == point.completed)
    #expect(Digest(Array(bytes[16..<48]).span.bytes) == point.frame)
    let head = point.head.encoded()
    #expect(Array(bytes[48..<92]) == head + [UInt8](repeating: 0, count: 44 - head.count))
    let digest = try Crypto.Hasher.digest(of: Array(bytes[..<92]).span.bytes)
    #expect(Array(bytes[92...]) == (0..<16).map { digest.bytes[$0] })
  }

  @Test("every changed byte and every other length of a stored checkpoint is refused")
  func damagedPoint() throws {
    let bytes = try Run().points[0].encoded()
    for index in bytes.indices {
      for change in [0x01, 0x80, 0xff] as [UInt8] {
        var changed = bytes
        changed[index] ^= change
        #expect(Checkpoint(parsing: changed.span.bytes) == nil, "byte \(index)")
      }
      #expect(Checkpoint(parsing: bytes.span.bytes.extracting(0..<index)) == nil)
    }
    let longer = bytes + [0]
    #expect(Checkpoint(parsing: longer.span.bytes) == nil)
  }

  @Test("a write that was torn between two checkpoints is refused")
  func tornPoint() throws {
    let points = try Run().points
    let (first, second) = (try points[0].encoded(), try points[1].encoded())
    for cut in 1..<92 where first[..<cut] != second[..<cut] && first[cut...] != second[cut...] {
      let torn = Array(second[..<cut] + first[cut...])
      #expect(Checkpoint(parsing: torn.span.bytes) == nil)
    }
  }

  @Test("a checkpoint of another patch between files of the same sizes is refused, or does no harm")
  func otherPatch() throws {
    let run = try Run()
    var refused = 0
    for seed in 78..<82 as Range<UInt64> {
      let other = try Run(seed: seed)
      #expect(run.fixture.new.count == other.fixture.new.count)
      for point in other.points {
        do throws(DeltaError) {
          // The last frame may happen to be the same one: it leads to no other.
          let partial = Array(run.fixture.new[..<Int(point.completed)])
          #expect(try run.apply(from: point, partial: partial) == run.fixture.new)
        } catch {
          refused += 1
          switch error {
          case .wrongFrame(let offset), .badFrame(let offset): #expect(offset == point.containerOffset)
          default: Issue.record("\(error)")
          }
        }
      }
    }
    #expect(refused > 8)
  }

  @Test("a checkpoint of a patch between files of other sizes is refused before anything is made")
  func otherSizes() throws {
    let run = try Run()
    let point = run.points[0]
    let digest = Digest()
    for (old, new) in [(2001, UInt64(run.fixture.new.count)), (2000, 99_999)] as [(UInt64, UInt64)] {
      let head = PatchHead(old: (old, digest), new: (new, digest), shape: point.head.shape)
      let other = Checkpoint(
        containerOffset: point.containerOffset, completed: point.completed, frame: point.frame, head: head)
      #expect(throws: old == 2000 ? DeltaError.wrongHead : .wrongOldFile(found: 2000, expected: old)) {
        _ = try run.apply(from: other, partial: [])
      }
    }
  }

  @Test(
    "a checkpoint with offsets that no patch has is refused",
    arguments: [
      (.max, 100), (.max - 30, 100), (1 << 63, 100), (1 << 48, 100), (100, .max), (100, 1 << 63), (100, 9999),
    ]
      as [(UInt64, UInt64)])
  func absurd(containerOffset: UInt64, completed: UInt64) throws {
    let run = try Run()
    let point = run.points[0]
    let absurd = Checkpoint(
      containerOffset: containerOffset, completed: completed, frame: point.frame, head: point.head)
    let expectation = PatchExpectation(
      head: run.fixture.patch.headDigest, containerSize: containerOffset > 100 ? nil : 5000,
      oldSize: UInt64(run.fixture.old.count), newSize: nil)
    do throws(DeltaError) {
      _ = try Applier(expectation, from: absurd, memoryLimit: 8 << 20)
      Issue.record("it was taken")
    } catch { #expect(error == .badFrame(at: containerOffset)) }
  }

  @Test("over the memory limit nothing is resumed")
  func memory() throws {
    let run = try Run()
    let needed = run.fixture.patch.head.memoryNeeded
    #expect(throws: DeltaError.overMemory(needed: needed, allowed: 1000)) {
      _ = try run.apply(from: run.points[0], partial: [], memoryLimit: 1000)
    }
  }

  @Test("the bytes after a checkpoint are refused if any of them changed, and if they end early")
  func damagedRest() throws {
    let run = try Run()
    let point = run.points[run.points.count - 1]
    let partial = Array(run.fixture.new[..<Int(point.completed)])
    let bytes = run.fixture.patch.bytes
    var applier = MemoryApplier(old: run.fixture.old)
    for index in Int(point.containerOffset)..<bytes.count {
      var changed = bytes
      changed[index] ^= 0x10
      #expect(throws: DeltaError.self) {
        _ = try applier.apply(changed, expectedHead: nil, from: point, partial: partial)
      }
      let prefix = Array(bytes[..<index])
      #expect(throws: DeltaError.self) {
        _ = try applier.apply(prefix, expectedHead: nil, from: point, partial: partial)
      }
    }
  }

  @Test("a partial file that is shorter than it should be is not read past its end")
  func shortPartialFile() throws {
    let second = craftBlock(operations: [1], copies: [0, step(1), 3])
    let patch = try CraftedPatch.two(craftBlock(literals: [1, 2, 3, 4]), second, at: 4, newSize: 7).build()
    var applier = MemoryApplier(old: CraftedPatch.old)
    #expect(try applier.apply(patch.bytes, expectedHead: patch.head) == [1, 2, 3, 4, 2, 3, 4])
    let point = try #require(applier.points.first)
    #expect(
      try applier.apply(patch.bytes, expectedHead: patch.head, from: point, partial: [1, 2, 3, 4]).suffix(3)
        == [2, 3, 4])
    for partial in [[], [1], [1, 2, 3]] as [[UInt8]] {
      #expect(throws: DeltaError.outsideSource(at: 4)) {
        _ = try applier.apply(patch.bytes, expectedHead: patch.head, from: point, partial: partial)
      }
    }
  }
}
