import Platform
import TestSupport
import Testing

/// `tracer/tracer.py`, which counts the calls of all threads of a program together, and interferes with one or all.
///
/// strace counts for each thread, and can only pretend that a write was short.
enum Tracer {
  static let requirement: Comment = "it takes python3, and a machine where a program of x86-64 can be traced"

  static let isPossible = {
    #if arch(x86_64)
    do { return try ChildProcess.run("python3", [program, "count", "true"]).status == 0 } catch {
      return false
    }
    #else
    return false
    #endif
  }()

  private static let program = "\(Checkout.root)/Tests/EndToEndTests/tracer/tracer.py"

  /// The words in front of a command.
  static func words(_ options: [String]) throws -> [String] { ["python3", program] + options }
}
