internal import DeltaApply

/// What a section holds before it is compressed.
struct Section {
  /// How many bytes of the new file are complete before it.
  let completed: UInt64
  var bytes: [UInt8] = []
}

/// Writes covers as blocks and blocks as sections.
struct Instructions {
  private let blockLimit: Int
  private let sectionLimit: Int
  private let sectionOutput: UInt64
  private var sections: [Section] = []
  private var completed: UInt64 = 0
  private(set) var largestBlock = 1

  // The section that is being written.
  private var section = Section(completed: 0)
  private var oldOffset = 0

  // The block that is being written.
  private var blockStart: UInt64 = 0
  private var covers: [UInt8] = []
  private var runs: [UInt8] = []
  private var differences: [UInt8] = []
  private var extras: [UInt8] = []
  /// Extra bytes since the last cover.
  private var extraCount = 0
  /// Equal bytes since the last pair of runs.
  private var equal = 0

  init(_ options: PatchMaker.Options) {
    blockLimit = Int(options.blockSize)
    sectionLimit = options.sectionSize
    sectionOutput = options.sectionOutput
  }

  /// Writes all of the new file.
  static func sections(
    _ covers: [Cover], old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>,
    _ options: PatchMaker.Options
  ) -> (sections: [Section], largestBlock: Int) {
    var writer = Instructions(options)
    var done = 0
    for cover in covers {
      writer.appendExtras(new[done..<cover.new])
      writer.append(cover, old, new)
      done = cover.new + cover.length
    }
    writer.appendExtras(new[done...])
    writer.endBlock()
    writer.endSection()
    return (writer.sections, writer.largestBlock)
  }

  private var room: Int { blockLimit - covers.count - runs.count - differences.count - extras.count }

  private mutating func appendExtras(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    var rest = bytes
    while !rest.isEmpty {
      if room <= Instructions.largestCover { endBlock() }
      let piece = rest.prefix(room - Instructions.largestCover)
      extras.append(contentsOf: piece)
      extraCount += piece.count
      completed += UInt64(piece.count)
      rest = rest.dropFirst(piece.count)
    }
  }

  private mutating func append(
    _ cover: Cover, _ old: UnsafeBufferPointer<UInt8>, _ new: UnsafeBufferPointer<UInt8>
  ) {
    var begin = 0  // of the part of the cover that goes to this block
    var index = 0
    if room < 2 * Instructions.largestCover { endBlock() }
    while index < cover.length {
      let equalEnd = index + equalRun(cover, index, old, new)
      equal += equalEnd - index
      index = equalEnd
      var different = differentRun(cover, index, old, new)
      while different > 0 {
        let fits = room - Instructions.largestCover - Instructions.largestPair
        if fits <= 0 {
          endCover(cover, begin..<index)
          endBlock()
          begin = index
          continue
        }
        let piece = min(different, fits)
        Varint.append(UInt64(equal), to: &runs)
        Varint.append(UInt64(piece), to: &runs)
        equal = 0
        for step in index..<index + piece {
          differences.append(new[cover.new + step] &- old[cover.old + step])
        }
        index += piece
        different -= piece
      }
    }
    endCover(cover, begin..<cover.length)
  }

  /// Writes the part of a cover that this block has.
  private mutating func endCover(_ cover: Cover, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    let start = cover.old + range.lowerBound
    Varint.append(UInt64(extraCount), to: &covers)
    Varint.append(Varint.folded(Int64(start - oldOffset)), to: &covers)
    Varint.append(UInt64(range.count), to: &covers)
    oldOffset = start + range.count
    completed += UInt64(range.count)
    extraCount = 0
  }

  private mutating func endBlock() {
    let newSize = completed - blockStart
    if newSize > 0 {
      let header = BlockHeader(
        newSize: newSize, covers: UInt32(covers.count), runs: UInt32(runs.count),
        differences: UInt32(differences.count), extras: UInt32(extras.count))
      largestBlock = max(largestBlock, Int(header.streamsSize))
      section.bytes += header.encoded()
      for stream in [covers, runs, differences, extras] { section.bytes += stream }
    }
    for stream in [\Instructions.covers, \.runs, \.differences, \.extras] {
      self[keyPath: stream].removeAll(keepingCapacity: true)
    }
    extraCount = 0
    equal = 0
    blockStart = completed
    if section.bytes.count >= sectionLimit || completed - section.completed >= sectionOutput { endSection() }
  }

  private mutating func endSection() {
    if !section.bytes.isEmpty { sections.append(section) }
    section = Section(completed: completed)
    oldOffset = 0
  }

  private func equalRun(
    _ cover: Cover, _ index: Int, _ old: UnsafeBufferPointer<UInt8>, _ new: UnsafeBufferPointer<UInt8>
  ) -> Int {
    guard let old = old.baseAddress, let new = new.baseAddress else { return 0 }
    return equalBytes(old + cover.old + index, new + cover.new + index, atMost: cover.length - index)
  }

  private func differentRun(
    _ cover: Cover, _ index: Int, _ old: UnsafeBufferPointer<UInt8>, _ new: UnsafeBufferPointer<UInt8>
  ) -> Int {
    var count = 0
    while index + count < cover.length && old[cover.old + index + count] != new[cover.new + index + count] {
      count += 1
    }
    return count
  }

  /// The most bytes of one cover's three numbers, and of one pair of runs.
  private static var largestCover: Int { 3 * Varint.maximumSize }
  private static var largestPair: Int { 2 * Varint.maximumSize }
}
