internal import Codec
internal import CodecEncoding

/// Parts of the blocks of a script, to compare models of LZMA with.
struct ModelSample {
  private var parts: [[UInt8]] = []

  /// Takes some parts, evenly spread over all sections.
  init(_ script: PatchScript, options: PatchMaker.Options) throws(DeltaCreateError) {
    var sections: [[UInt8]] = []
    _ = try ScriptEncoder.encode(script, options: options) { (section) throws(DeltaCreateError) in
      sections.append(section.bytes)
      return true
    }
    let total = sections.reduce(0) { $0 + $1.count }
    let step = max(total / ModelSample.count, ModelSample.size)
    var next = 0  // in all sections together, where the next part begins
    var begin = 0
    for section in sections {
      while next < begin + section.count {
        let start = next - begin
        parts.append(Array(section[start..<min(start + ModelSample.size, section.count)]))
        next += step
      }
      begin += section.count
    }
  }

  /// The model with which the parts are smallest.
  func best(of models: [LZMAModel]) throws(DeltaCreateError) -> LZMAModel {
    var best = (model: models[0], size: Int.max)
    for model in models {
      var size = 0
      do throws(CodecError) {
        for part in parts {
          size +=
            try LZMAEncoder.encode(
              part.span.bytes, dictionarySize: UInt32(ModelSample.size), model: model, below: best.size - size
            )?
            .count ?? best.size
          if size >= best.size { break }
        }
      } catch { throw .codec(error) }
      if size < best.size { best = (model, size) }
    }
    return best.model
  }

  private static var count: Int { 3 }
  /// In bytes.
  private static var size: Int { 128 << 10 }
}
