import Codec
import DeltaCreate

/// The coders of deflate streams, and the search for such streams.
enum DeflateTargets {
  /// The first three bytes are parameters, the fourth and fifth how input and output are cut; the rest is a stream.
  static func inflater(_ bytes: [UInt8]) throws {
    guard bytes.count >= 5, let parameters = DeflateParameters(parsing: bytes.span.bytes) else { return }
    let stream = Array(bytes[5...])
    var inflater = try Inflater(parameters.wrapper)
    guard let content = try inflate(stream, &inflater, Int(bytes[3]) + 1, Int(bytes[4]) + 1) else { return }
    let made = try deflate(content, parameters, Int(bytes[4]) * 8 + 1)
    let whole = try deflate(content, parameters, .max)
    precondition(made == whole, "cutting does not change the stream")
    try inflater.reset(parameters.wrapper)
    let again = try inflate(made, &inflater, 1 << 20, 4096)
    precondition(again == content, "what is deflated can be inflated")
  }

  /// Nil for bytes that are not a whole stream, or one with more content than 256 KiB.
  private static func inflate(
    _ stream: [UInt8], _ inflater: inout Inflater, _ piece: Int, _ room: Int
  ) throws(CodecError) -> [UInt8]? {
    var content: [UInt8] = []
    var space = [UInt8](repeating: 0, count: room)
    var taken = 0
    while !inflater.isFinished {
      let end = min(taken + piece, stream.count)
      var span = space.mutableSpan
      var output = span.mutableBytes
      let counts = try inflater.inflate(stream.span.bytes.extracting(taken..<end), into: &output)
      precondition(counts.read <= end - taken && counts.written <= room, "no more than there is")
      taken += counts.read
      content += space[..<counts.written]
      if counts.read + counts.written == 0 || content.count > 256 << 10 { return nil }
    }
    return content
  }

  private static func deflate(
    _ content: [UInt8], _ parameters: DeflateParameters, _ piece: Int
  ) throws(CodecError) -> [UInt8] {
    var deflater = try Deflater(parameters)
    var made: [UInt8] = []
    var space = [UInt8](repeating: 0, count: 4096)
    var taken = 0
    while !deflater.isFinished {
      let end = content.count - taken > piece ? taken + piece : content.count
      var span = space.mutableSpan
      var output = span.mutableBytes
      let counts = try deflater.deflate(
        content.span.bytes.extracting(taken..<end), into: &output, isLast: end == content.count)
      taken += counts.read
      made += space[..<counts.written]
    }
    return made
  }

  /// The first seven bytes are parameters, the next two how input and output are cut, the next one the size of the guide; guide
  /// and content follow.
  static func guide(_ bytes: [UInt8]) throws {
    guard bytes.count > 10, let parameters = PredictorParameters(parsing: bytes.span) else { return }
    let input = Array(bytes[10...])
    func made(_ piece: Int, _ room: Int) -> [UInt8]? {
      var deflater = GuidedDeflater()
      var made: [UInt8] = []
      var space = [UInt8](repeating: 0, count: room)
      var taken = 0
      do throws(CodecError) {
        let guide = min(Int(bytes[9]), input.count)
        try deflater.reset(
          parameters, guideSize: UInt64(guide), contentSize: UInt64(input.count - guide))
        while !deflater.isFinished || taken < input.count {
          let end = input.count - taken > piece ? taken + piece : input.count
          var span = space.mutableSpan
          var output = span.mutableBytes
          let counts = try deflater.deflate(
            input.span.bytes.extracting(taken..<end), into: &output)
          taken += counts.read
          made += space[..<counts.written]
        }
        return made
      } catch { return nil }
    }
    let whole = made(.max, 4096)
    precondition(made(Int(bytes[7]) + 1, Int(bytes[8]) + 1) == whole, "cutting does not change the stream")
  }

  /// Every stream that is found can be inflated, is within the file, and shares no byte with another.
  static func streams(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBufferPointer { file in
      let streams = try DeflateFinder.search(file, for: .target).streams
      var reader = try ContentReader(file)
      for stream in streams { _ = try reader.content(of: stream) }
      var last = 0
      for extent in streams.flatMap(\.extents).sorted(by: { $0.lowerBound < $1.lowerBound }) {
        precondition(extent.lowerBound >= last && extent.upperBound <= bytes.count, "extents lie apart")
        last = extent.upperBound
      }
      _ = try StreamPairs.pairs(old: streams, in: file, new: streams, in: file)
    }
  }
}
