internal import DeltaApply
internal import PatchFormat

/// Counts the deflate streams that the blocks of a patch rebuild.
///
/// Where a stream's bytes go is coded relative to the output position, so that is followed as a device does.
struct StreamCounter {
  private let head: PatchHead
  private(set) var fromOld = PatchContents.Streams()
  private(set) var withoutOld = PatchContents.Streams()
  private(set) var withGuide = PatchContents.Streams()
  private var position = OutputPosition()
  private var sources = ExtentChain()
  /// The bytes that are missing from the content that is being made.
  private var contentLeft: UInt64 = 0

  init(_ head: PatchHead) { self.head = head }

  mutating func startSection() { sources = ExtentChain() }

  /// Counts the streams that begin in a block.
  ///
  /// - `made`: the bytes that the block makes, of the new file and of contents.
  mutating func count(_ layout: BlockLayout, of block: Span<UInt8>, made: UInt64) throws(DeltaError) {
    var targets = ByteCursor(layout[.targets])
    guard head.shape.maximumContent > 0 || targets.remaining == 0 else { throw damaged }
    guard head.shape.maximumContent > 0 else { return }
    var left = made - takeContent(made)
    while targets.remaining > 0 {
      guard let gap = DeflateTarget.gap(&targets, in: block), gap < left else { throw damaged }
      try place(gap)
      try takeStream(&targets, in: block)
      left -= gap
      left -= takeContent(left)
    }
    try place(left)
  }

  private var damaged: DeltaError { .badBlock(at: position.offset) }

  /// How many of the next bytes belong to a content.
  private mutating func takeContent(_ count: UInt64) -> UInt64 {
    let taken = min(contentLeft, count)
    contentLeft -= taken
    return taken
  }

  /// Places bytes that belong to no content.
  private mutating func place(_ count: UInt64) throws(DeltaError) {
    guard position.offset <= head.newSize, count <= head.newSize - position.offset else { throw damaged }
    position.placeAround(count)
  }

  private mutating func takeStream(_ cursor: inout ByteCursor, in block: Span<UInt8>) throws(DeltaError) {
    guard contentLeft == 0,
      let target = DeflateTarget(parsing: &cursor, in: block, at: position.offset, head: head)
    else { throw damaged }
    do throws(ExtentChain.ParseError) {
      for _ in 0..<(target.source?.extentCount ?? 0) {
        _ = try sources.next(&cursor, in: block, within: 0..<head.oldSize)
      }
    } catch { throw damaged }
    for extent in target.destinations {
      guard position.reserve(extent) else { throw damaged }
    }
    try place(0)
    contentLeft = target.madeSize
    switch target.encoder {
    case .guide: withGuide.add(target)
    case .zlib: if target.source == nil { withoutOld.add(target) } else { fromOld.add(target) }
    }
  }
}
