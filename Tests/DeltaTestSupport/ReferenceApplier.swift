package import Crypto
internal import TestSupport

/// `docs/format/apply-patch.py`: the specification of patches as a program.
package enum ReferenceApplier {
  /// What it makes; nil if it rejects the patch.
  ///
  /// - `head`: the digest of head and first frame, as the catalog has it.
  package static func apply(_ patch: [UInt8], to old: [UInt8], head: Digest?) throws -> [UInt8]? {
    let scratch = try Scratch("reference")
    try scratch.write("old", old)
    try scratch.write("patch", patch)
    let files = ["old", "patch", "new"].map { "\(scratch.path)/\($0)" }
    let outcome = try ChildProcess.run(
      "python3", ["\(Checkout.root)/docs/format/apply-patch.py"] + files + (head.map { [$0.hex] } ?? []))
    return outcome.status == 0 ? try scratch.read("new") : nil
  }
}
