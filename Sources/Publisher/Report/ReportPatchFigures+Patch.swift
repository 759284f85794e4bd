internal import DeltaCreate
internal import PatchFormat
package import Reporting

extension Report.PatchFigures {
  init(_ contents: PatchContents, notRebuilt: Report.NotRebuilt) {
    self.init(
      columns: contents.columns.map(Report.Column.init),
      operations: contents.operations.map(Report.Operations.init),
      deflateStreams: Report.Streams(
        fromOld: Report.Rebuilt(contents.streamsFromOld),
        withoutOld: Report.Rebuilt(contents.streamsWithoutOld),
        withGuide: Report.Rebuilt(contents.streamsWithGuide), notRebuilt: notRebuilt))
  }
}

extension Report.Column {
  package init(_ column: PatchContents.Column) {
    self.init(Name(column.column), size: column.size, packedSize: column.packedSize)
  }
}

extension Report.Operations {
  package init(_ operations: PatchContents.Operations) {
    self.init("\(operations.kind)", count: operations.count, size: operations.bytes)
  }
}

extension Report.Column.Name {
  init(_ column: BlockColumn) {
    self =
      switch column {
      case .operations: .operations
      case .copies: .copies
      case .runs: .runs
      case .differences: .differences
      case .numbers: .numbers
      case .targets: .targets
      case .literals: .literals
      }
  }
}

extension Report.Rebuilt {
  package init(_ streams: PatchContents.Streams) {
    self.init(count: streams.count, size: streams.bytes, contentSize: streams.contentBytes)
  }
}

extension Report.NotRebuilt {
  init(_ figures: StreamFigures) {
    func tally(_ outcome: StreamFigures.Outcome) -> Report.Tally {
      Report.Tally(count: UInt64(figures[outcome].count), size: UInt64(figures[outcome].bytes))
    }
    self.init(
      contentTooLarge: tally(.contentTooLarge), otherEncoder: tally(.otherEncoder),
      tooManyExtents: tally(.tooManyExtents))
  }
}
