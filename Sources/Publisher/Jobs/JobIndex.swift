internal import Platform

/// The job that an engine asks for.
package enum JobIndex {
  /// Slurm, Kubernetes and AWS Batch number the jobs of an array in these; the first one that is set counts.
  package static let variables = [
    "SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX",
  ]

  /// The index that the environment has, counted from 0; nil if it has none that is a number.
  package static func fromEnvironment(_ value: (String) -> String? = Environment.value) -> Int? {
    for name in variables {
      guard let text = value(name) else { continue }
      return UInt64(ascii: Array(text.utf8)).flatMap { Int(exactly: $0) }
    }
    return nil
  }
}
