internal import Codec
internal import DeltaApply

/// Tries ways to make the new file of the old one, and keeps the one with the smallest patch.
struct PatchSearch: ~Copyable {
  private let old: UnsafeBufferPointer<UInt8>
  private let new: UnsafeBufferPointer<UInt8>
  private let options: PatchMaker.Options
  /// Nil: the new file has no numbers.
  private let numbers: NumberParser?
  /// Whether telling numbers as such was smaller; nil as long as both are tried.
  private var tellsNumbers: Bool?
  private var best: Packing?

  /// The smallest of all ways.
  static func smallest(
    old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, _ options: PatchMaker.Options
  ) throws(DeltaCreateError) -> Packing {
    var search = PatchSearch(old: old, new: new, options)
    if old.isEmpty || new.isEmpty {
      try search.tryCovers([])
    } else if old.count <= Int(Int32.max) {
      try search.tryMatchings(with: try Matcher<Int32>(old: old, new: new))
    } else {
      try search.tryMatchings(with: try Matcher<Int64>(old: old, new: new))
    }
    try search.tryStreams()
    try search.tryModels()
    guard let best = search.best else { throw .badOption }  // not reached: there is a matching
    return best
  }

  private init(
    old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, _ options: PatchMaker.Options
  ) {
    self.old = old
    self.new = new
    self.options = options
    numbers = NumberParser(old: old, new: new)
    if numbers == nil { tellsNumbers = false }
  }

  private var isSmall: Bool { best?.size ?? 0 <= options.smallPatch }

  private mutating func tryMatchings<Index>(
    with matcher: borrowing Matcher<Index>
  ) throws(DeltaCreateError) {
    for matching in options.matchings { try tryCovers(matcher.covers(matching)) }
    guard isSmall else { return }
    for matching in options.furtherMatchings { try tryCovers(matcher.covers(matching)) }
  }

  /// Tries covers with numbers and without, until it is known which is better for these files.
  private mutating func tryCovers(_ covers: [Cover]) throws(DeltaCreateError) {
    var sizes = [Int.max, Int.max]
    if tellsNumbers != true {
      let operations = covers.map { Operation(kind: .old, new: $0.new, source: $0.old, length: $0.length) }
      sizes[0] = try tryOperations(operations)
    }
    if tellsNumbers != false, let operations = numbers?.operations(covers) {
      sizes[1] = try tryOperations(operations)
    }
    if tellsNumbers == nil { tellsNumbers = sizes[1] < sizes[0] }
  }

  /// Returned is the size of the patch.
  private mutating func tryOperations(_ operations: [Operation]) throws(DeltaCreateError) -> Int {
    try tryScript(PatchScript(old: old, new: new, operations: operations))
  }

  /// Returned is the size of the patch.
  private mutating func tryScript(_ script: PatchScript) throws(DeltaCreateError) -> Int {
    let instructions = try Instructions(script, options)
    let packing = try Packing(instructions, options.models[0], options.dictionarySize)
    let size = packing.size
    if size < best?.size ?? .max { best = packing }
    return size
  }

  /// Looks through deflate, if the new file has streams that can be made again.
  private mutating func tryStreams() throws(DeltaCreateError) {
    guard let plan = try StreamPlan(old: old, new: new) else { return }
    _ = try plan.rest.withUnsafeBufferPointer { (rest) throws(DeltaCreateError) in
      let covers =
        old.isEmpty || rest.isEmpty
        ? [] : try Matcher<Int32>(old: old, new: rest).covers(options.matchings[0])
      var script = PatchScript(
        old: old, new: rest,
        operations: covers.map { Operation(kind: .old, new: $0.new, source: $0.old, length: $0.length) })
      script.file = new
      var contents = try script.contents()
      for stream in plan.streams {
        script.streams.append(try PatchSearch.script(stream, &contents, options.matchings[0]))
      }
      return try tryScript(script)
    }
  }

  private static func script(
    _ stream: StreamPlan.PlannedStream, _ contents: inout PatchScript.Contents,
    _ matching: PatchMaker.Matching
  ) throws(DeltaCreateError) -> StreamScript {
    var covers: [Cover] = []
    if let source = stream.source {
      let old = try contents.old.content(of: source)
      let new = try contents.new.content(of: stream.target)
      covers = try old.withUnsafeBufferPointer { (old) throws(DeltaCreateError) in
        try new.withUnsafeBufferPointer { (new) throws(DeltaCreateError) in
          try Matcher<Int32>(old: old, new: new).covers(matching)
        }
      }
    }
    return StreamScript(
      offset: stream.offset, target: stream.target, source: covers.isEmpty ? nil : stream.source,
      operations: covers.map { Operation(kind: .old, new: $0.new, source: $0.old, length: $0.length) })
  }

  private mutating func tryModels() throws(DeltaCreateError) {
    guard let instructions = best?.instructions else { return }
    for model in options.models.dropFirst() + (isSmall ? options.furtherModels : []) {
      let packing = try Packing(instructions, model, options.dictionarySize)
      if packing.size < best?.size ?? .max { best = packing }
    }
  }
}
