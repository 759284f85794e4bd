internal import Crypto
internal import DeltaApply
internal import DeltaCreate
internal import PatchFormat
internal import Publisher
internal import Reporting

/// Patches, and how they are made.
extension Answer {
  struct Diff: Encodable {
    let format = 1
    let oldSize: UInt64
    let newSize: UInt64
    let size: UInt64
    let head: String
    let memory: UInt64
    let matching: Matching
    let scripts: [Script]
    let unsearched: Int
    let deflateStreams: StreamOutcomes
    let streams = PatchMaker.encodesStreams

    init(_ report: FileDiff.Report) {
      (oldSize, newSize, size) = (report.head.oldSize, report.head.newSize, report.size)
      head = report.headDigest.hex
      memory = report.head.memoryNeeded
      matching = Matching(report.plan)
      scripts = report.trials.map(Script.init)
      unsearched = report.streams.unsearched
      deflateStreams = StreamOutcomes(report.streams)
    }
  }

  /// How matches were searched for.
  struct Matching: Encodable {
    let index: String
    let memory: Int

    init(_ plan: SearchBudget) { (index, memory) = (plan.index.name, plan.memory) }
  }

  /// A script that was tried.
  struct Script: Encodable {
    let found: String
    let size: Int
    let verdict: String

    init(_ trial: ScriptTrial) {
      (found, size, verdict) = (trial.origin.name, trial.size, trial.verdict.name)
    }
  }

  /// What became of the deflate streams of a file.
  struct StreamOutcomes: Encodable {
    let found: Tally
    let copied: Tally
    let rebuiltFromOld: Tally
    let rebuiltWithoutOld: Tally
    let rebuiltWithGuide: Tally
    let contentTooLarge: Tally
    let otherEncoder: Tally
    let tooManyExtents: Tally
    let notSmaller: Tally

    struct Tally: Encodable {
      let count: Int
      let size: Int

      init(_ tally: StreamFigures.Tally) { (count, size) = (tally.count, tally.bytes) }
    }

    init(_ figures: StreamFigures) {
      found = Tally(figures.found)
      copied = Tally(figures[.copied])
      rebuiltFromOld = Tally(figures[.rebuiltFromOld])
      rebuiltWithoutOld = Tally(figures[.rebuiltWithoutOld])
      rebuiltWithGuide = Tally(figures[.rebuiltWithGuide])
      contentTooLarge = Tally(figures[.contentTooLarge])
      otherEncoder = Tally(figures[.otherEncoder])
      tooManyExtents = Tally(figures[.tooManyExtents])
      notSmaller = Tally(figures[.notSmaller])
    }
  }

  /// A patch that was inspected.
  struct InspectedPatch: Encodable {
    let oldSize: UInt64?
    let newSize: UInt64
    let size: UInt64
    let head: String
    let memory: UInt64
    let dictionary: UInt32
    let maximumPayload: UInt32
    let maximumBlock: UInt32
    let sections: Int
    let sortedSections: Int
    let frames: Int

    init(_ patch: PatchInspection) {
      let shape = patch.head.shape
      oldSize = patch.head.oldSize > 0 ? patch.head.oldSize : nil
      (newSize, size, head) = (patch.head.newSize, patch.size, patch.headDigest.hex)
      memory = patch.head.memoryNeeded
      (dictionary, maximumPayload) = (shape.dictionarySize, shape.maximumPayload)
      maximumBlock = shape.maximumBlock
      (sections, sortedSections, frames) = (patch.sections, patch.sortedSections, patch.frames)
    }
  }

  /// The contents of a patch; all nil without `--contents`.
  struct Contents: Encodable {
    let blocks: UInt64?
    let columns: [Report.Column]?
    let operations: [Report.Operations]?
    let deflateStreams: RebuiltStreams?

    struct RebuiltStreams: Encodable {
      let rebuiltFromOld: Report.Rebuilt
      let rebuiltWithoutOld: Report.Rebuilt
      let rebuiltWithGuide: Report.Rebuilt
    }

    init(_ contents: PatchContents?) {
      blocks = contents?.blocks
      columns = contents?.columns.map(Report.Column.init)
      operations = contents?.operations.map(Report.Operations.init)
      deflateStreams = contents.map {
        RebuiltStreams(
          rebuiltFromOld: Report.Rebuilt($0.streamsFromOld),
          rebuiltWithoutOld: Report.Rebuilt($0.streamsWithoutOld),
          rebuiltWithGuide: Report.Rebuilt($0.streamsWithGuide))
      }
    }
  }
}
