internal import DeltaApply

/// What a section holds before it is compressed.
struct Section {
  /// How many bytes of the new file are complete before it.
  let completed: UInt64
  var bytes: [UInt8] = []
}

/// All that the device has to do, in the form of the format: covers as blocks, blocks as sections.
struct Instructions {
  private(set) var sections: [Section] = []
  private(set) var largestBlock = 1

  private let blockLimit: Int
  private let sectionLimit: Int
  private let sectionOutput: Int
  private var completed: UInt64 = 0

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

  /// Writes all of the new file.
  init(
    _ covers: [Cover], old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>,
    _ options: PatchMaker.Options
  ) {
    blockLimit = Int(options.blockSize)
    sectionLimit = options.sectionSize
    sectionOutput = options.sectionOutput
    var done = 0
    for cover in covers {
      appendExtras(new[done..<cover.new])
      append(cover, old, new)
      done = cover.new + cover.length
    }
    appendExtras(new[done...])
    endBlock()
    endSection()
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
    if room < 2 * Instructions.largestCover { endBlock() }
    var begin = 0  // of the part of the cover that goes to this block
    var index = 0
    while index < cover.length {
      let left = sectionOutput - Int(completed - section.completed) - (index - begin)
      let fits = room - Instructions.largestCover - Instructions.largestPair
      if left <= 0 || fits <= 0 {
        endCover(cover, begin..<index)
        endBlock()
        begin = index
        continue
      }
      let equalCount = equalRun(cover, index, atMost: min(left, cover.length - index), old, new)
      equal += equalCount
      index += equalCount
      let different = differentRun(
        cover, index, atMost: min(left - equalCount, fits, cover.length - index), old, new)
      guard different > 0 else { continue }
      Varint.append(UInt64(equal), to: &runs)
      Varint.append(UInt64(different), to: &runs)
      equal = 0
      for step in index..<index + different {
        differences.append(new[cover.new + step] &- old[cover.old + step])
      }
      index += different
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
    covers.removeAll(keepingCapacity: true)
    runs.removeAll(keepingCapacity: true)
    differences.removeAll(keepingCapacity: true)
    extras.removeAll(keepingCapacity: true)
    extraCount = 0
    equal = 0
    blockStart = completed
    if section.bytes.count >= sectionLimit || Int(completed - section.completed) >= sectionOutput {
      endSection()
    }
  }

  private mutating func endSection() {
    if !section.bytes.isEmpty { sections.append(section) }
    section = Section(completed: completed)
    oldOffset = 0
  }

  private func equalRun(
    _ cover: Cover, _ index: Int, atMost limit: Int, _ old: UnsafeBufferPointer<UInt8>,
    _ new: UnsafeBufferPointer<UInt8>
  ) -> Int {
    guard let old = old.baseAddress, let new = new.baseAddress else { return 0 }
    return equalBytes(old + cover.old + index, new + cover.new + index, atMost: limit)
  }

  private func differentRun(
    _ cover: Cover, _ index: Int, atMost limit: Int, _ old: UnsafeBufferPointer<UInt8>,
    _ new: UnsafeBufferPointer<UInt8>
  ) -> Int {
    var count = 0
    while count < limit && old[cover.old + index + count] != new[cover.new + index + count] { count += 1 }
    return count
  }

  /// The most bytes of one cover's three numbers, and of one pair of runs.
  private static var largestCover: Int { 3 * Varint.maximumSize }
  private static var largestPair: Int { 2 * Varint.maximumSize }
}
