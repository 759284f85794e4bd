import Reporting

@testable import Publisher

extension TestRepository {
  /// Writes the report as the program does; how many pages.
  func writeReport(
    to folder: String, jobs: Int = 1, shouldStop: @escaping () -> Bool = { false }
  ) async throws(PublisherError) -> Int {
    let survey = try Survey(
      of: try Repository(opening: repository), jobs: jobs, memory: .max, shouldStop: shouldStop)
    var pages = try onReport { () throws(ReportError) in try ReportFolder(folder) }
    let report = try await survey.run()
    return try onReport { () throws(ReportError) in try pages.write(report) }
  }

  private func onReport<Result: ~Copyable>(
    _ body: () throws(ReportError) -> Result
  ) throws(PublisherError) -> Result {
    do throws(ReportError) { return try body() } catch { throw PublisherError(error) }
  }
}
