internal import Codec
internal import Crypto
package import PatchFormat

/// Makes the new file from the old one and a patch, while the patch is handed over piece by piece.
///
/// No byte is decoded before its frame was authenticated, and memory is constant: all of it is allocated when the
/// head is known, `PatchHead.memoryNeeded` bytes at most. The digests of the old and of the new file are the caller's
/// business. After an error the applier is of no more use; what was written up to the last restart point is.
package struct Applier: ~Copyable {
  private let expectation: PatchExpectation
  private let memoryLimit: UInt64
  /// The head's bytes as long as they are not all here.
  private var headBytes: [UInt8] = []
  /// Nil until the head is known.
  package private(set) var head: PatchHead?
  private var machine: Machine?

  /// Begins with the first byte of the patch, or at `point`, at whose `containerOffset` the first byte for `consume`
  /// stands then.
  ///
  /// More than `memoryLimit` bytes are refused before anything is allocated.
  package init(
    _ expectation: PatchExpectation, from point: Checkpoint? = nil, memoryLimit: UInt64
  ) throws(DeltaError) {
    if let point {
      try Applier.check(point.head, expectation, memoryLimit)
      let end = min(expectation.containerSize ?? .max, PatchLimits.maximumFile)
      guard point.containerOffset < end, point.completed < point.head.newSize else {
        throw .badFrame(at: point.containerOffset)
      }
      let frames = try FrameGatherer(from: point, containerSize: expectation.containerSize)
      machine = try Machine(point.head, frames, completed: point.completed)
      head = point.head
    }
    self.expectation = expectation
    self.memoryLimit = memoryLimit
  }

  /// Where in the container the next byte for `consume` stands.
  package var position: UInt64 {
    switch machine {
    case .some(let machine): machine.position
    case .none: UInt64(headBytes.count)
    }
  }

  /// The bytes of the new file so far.
  package var completed: UInt64 {
    switch machine {
    case .some(let machine): machine.completed
    case .none: 0
    }
  }

  /// Takes the next piece of the patch, of any size.
  ///
  /// What `files` throws comes out here.
  package mutating func consume<Files: PatchFiles & ~Copyable>(
    _ bytes: RawSpan, _ files: inout Files
  ) throws(DeltaError) {
    var taken = 0
    if machine == nil { taken = try gatherHead(bytes) }
    guard machine != nil else { return }
    // An optional that cannot be copied is changed in place, or taken out and lost with an error.
    // swift-format-ignore: NeverForceUnwrap
    try machine!.consume(bytes.extracting(taken...), &files)
  }

  /// Says that the patch has no more bytes; the new file is complete if this does not throw.
  package consuming func finish() throws(DeltaError) {
    switch machine {
    case .some(let machine): try machine.finish()
    case .none: throw .truncated(at: UInt64(headBytes.count))
    }
  }

  /// Takes the head from the front of `bytes`; returns how many bytes that were.
  private mutating func gatherHead(_ bytes: RawSpan) throws(DeltaError) -> Int {
    var taken = 0
    var wanted = PatchHead.prefix
    while taken < bytes.byteCount {
      headBytes.append(unsafe bytes.unsafeLoad(fromByteOffset: taken, as: UInt8.self))
      taken += 1
      let head: PatchHead
      do throws(PatchFormatError) {
        if headBytes.count >= PatchHead.prefix { wanted = try PatchHead.size(of: headBytes.span.bytes) }
        guard headBytes.count == wanted else { continue }
        head = try PatchHead(parsing: headBytes.span.bytes)
      } catch { throw DeltaError(error) }
      try Applier.check(head, expectation, memoryLimit)
      let frames = try frames(behind: head)
      machine = try Machine(head, frames, completed: 0)
      self.head = head
      break
    }
    return taken
  }

  private func frames(behind head: PatchHead) throws(DeltaError) -> FrameGatherer {
    let bytes = headBytes.span.bytes
    guard head.newSize > 0 else {
      return try FrameGatherer(nothingBehind: bytes, digest: expectation.head)
    }
    return try FrameGatherer(
      headBytes: bytes, digest: expectation.head, containerSize: expectation.containerSize,
      maximumPayload: head.shape.maximumPayload)
  }

  /// A head that is for other files must not fill the disk first.
  ///
  /// It may not be authentic yet: all of it is compared with what is known.
  private static func check(
    _ head: PatchHead, _ expectation: PatchExpectation, _ memoryLimit: UInt64
  ) throws(DeltaError) {
    // Without an old file, one that happens to be at hand is not read.
    guard head.oldSize == expectation.oldSize || head.oldSize == 0 else {
      throw .wrongOldFile(found: expectation.oldSize, expected: head.oldSize)
    }
    if let newSize = expectation.newSize { guard head.newSize == newSize else { throw .wrongHead } }
    guard head.memoryNeeded <= memoryLimit else {
      throw .overMemory(needed: head.memoryNeeded, allowed: memoryLimit)
    }
  }
}

/// The parts that turn frames into the new file.
private struct Machine: ~Copyable {
  private let head: PatchHead
  private var frames: FrameGatherer
  private var decoder: SectionDecoder
  private var assembly: BlockAssembly
  private var runner: BlockRunner
  /// The bytes of the new file that were complete where the section began.
  private var sectionStart: UInt64
  private var isFirst = true

  init(_ head: PatchHead, _ frames: consuming FrameGatherer, completed: UInt64) throws(DeltaError) {
    let decoder = try SectionDecoder(dictionarySize: head.shape.dictionarySize)
    let runner = try BlockRunner(head, completed: completed)
    self.head = head
    self.frames = frames
    self.decoder = decoder
    assembly = BlockAssembly(maximumBlock: head.shape.maximumBlock)
    self.runner = runner
    sectionStart = completed
  }

  var position: UInt64 { frames.position }
  var completed: UInt64 { runner.position }

  mutating func consume<Files: PatchFiles & ~Copyable>(
    _ bytes: RawSpan, _ files: inout Files
  ) throws(DeltaError) {
    var taken = 0
    while taken < bytes.byteCount {
      taken += try frames.gather(bytes.extracting(taken...))
      guard let frame = frames.frame else { continue }
      try begin(frame)
      try execute(&files)
      let next = frames.next
      frames.release()
      if decoder.isFinished, let next {
        let point = Checkpoint(
          containerOffset: frames.offset, completed: completed, frame: next, head: head)
        try files.reached(point)
      }
    }
  }

  borrowing func finish() throws(DeltaError) {
    guard frames.isAtEnd else { throw .truncated(at: frames.position) }
    guard decoder.isFinished || isFirst, completed == head.newSize else { throw .badSection(at: completed) }
  }

  /// Checks what a frame says about its section against what was done so far.
  private mutating func begin(_ frame: FrameHeader) throws(DeltaError) {
    if isFirst {
      guard frame.start == nil ? completed == 0 : frame.start == completed else {
        throw .badFrame(at: frames.offset)
      }
      isFirst = false
      return
    }
    guard let start = frame.start else {
      guard !decoder.isFinished else { throw .badFrame(at: frames.offset) }
      return
    }
    guard decoder.isFinished, start == completed, start > sectionStart, start < head.newSize else {
      throw .badFrame(at: frames.offset)
    }
    try decoder.reset()
    runner.startSection()
    sectionStart = start
  }

  /// Decodes the frame's payload and executes each block as soon as it is whole.
  private mutating func execute<Files: PatchFiles & ~Copyable>(_ files: inout Files) throws(DeltaError) {
    var taken = 0
    while true {
      let input = frames.payload.extracting(taken...)
      let inputSize = input.byteCount
      let counts = try assembly.fill(from: &decoder, input, made: completed)
      taken += counts.read
      if assembly.isWhole {
        try runner.run(assembly, &files)
        assembly.release()
      }
      if decoder.isFinished {
        guard counts.read == inputSize, assembly.isEmpty else { throw .badSection(at: completed) }
        return try runner.endSection(&files)
      }
      if counts.read == 0 && counts.written == 0 {
        guard inputSize == 0 else { throw .codec(.corrupt) }
        return
      }
    }
  }
}
