internal import Codec
internal import CodecEncoding

/// Parts of the blocks of a script, to compare models of LZMA with.
struct ModelSample {
  private var parts: [[UInt8]] = []

  /// Takes some parts, spread over all sections.
  init(_ script: PatchScript, options: PatchMaker.Options) throws(DeltaCreateError) {
    var all: [[UInt8]] = []
    _ = try ScriptEncoder.encode(script, options: options) { (section) throws(DeltaCreateError) in
      all += ModelSample.parts(of: section.bytes)
      return true
    }
    let step = max(all.count / ModelSample.count, 1)
    for index in stride(from: 0, to: all.count, by: step) { parts.append(all[index]) }
  }

  /// The front, the middle and the end of a section, or all of a small one.
  private static func parts(of section: [UInt8]) -> [[UInt8]] {
    guard section.count > count * size else { return [section] }
    return (0..<count).map { number in
      let start = (section.count - size) * number / (count - 1)
      return Array(section[start..<start + size])
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
