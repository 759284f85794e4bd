internal import DeltaCreate
internal import FoundationEssentials
internal import Platform
internal import Publisher

/// The memory and processors that this process may use.
struct MachineShare {
  /// In bytes.
  let memory: UInt64
  let processors: Int

  /// The default of `--memory`: rounded, since machines of one kind, and one before and after a boot, differ a little.
  var halfOfMemory: UInt64 { UInt64(SearchBudget.rounded(Int(clamping: memory / 2))) }

  init() {
    let group = ControlGroup()
    memory = min(ProcessInfo.processInfo.physicalMemory, group.memory ?? .max)
    processors = min(ProcessInfo.processInfo.activeProcessorCount, group.processors ?? .max)
  }
}
