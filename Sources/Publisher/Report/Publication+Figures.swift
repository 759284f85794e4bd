internal import Catalog
internal import MapTree
internal import Platform
internal import Reporting

extension Publication {
  /// Keeps the figures of the largest updates of the release, for reports.
  func keepFigures(
    of components: [ComponentReport], in directory: borrowing Directory
  ) async throws(PublisherError) {
    let largest = components.compactMap(ExplainedPatch.init).sorted {
      ($1.payload.size, $0.payload.url) < ($0.payload.size, $1.payload.url)
    }.prefix(PublisherLimits.explainedUpdates)
    let missing = largest.filter { KeptFigures.read(of: $0.payload, in: directory) == nil }
    guard !missing.isEmpty else { return }
    try KeptFigures.makeFolder(in: directory)
    let repository = repository
    _ = try await WorkerPool.run(
      missing, jobs: options.jobs, memory: options.memory, need: { _ in PatchContents.memoryNeeded }
    ) { (patch) throws(PublisherError) in
      let contents = try PatchContents(of: "\(repository.path)/\(patch.payload.url)")
      let figures = Report.PatchFigures(contents, notRebuilt: patch.notRebuilt)
      try KeptFigures.keep(figures, of: patch.payload, in: try Workspace(repository))
    }
  }

  /// A patch that a device at the previous release downloads, and that was made for this one.
  private struct ExplainedPatch {
    let payload: Container
    let notRebuilt: Report.NotRebuilt

    init?(_ component: ComponentReport) {
      guard let base = component.base, let notRebuilt = component.notRebuilt,
        case .patch(let payload, _) = component.entry.payload(from: base)
      else { return nil }
      self.payload = payload
      self.notRebuilt = notRebuilt
    }
  }
}
