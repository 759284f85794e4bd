internal import FoundationEssentials
internal import Platform
internal import Publisher

/// The memory and processors that this process may use.
struct MachineShare {
  /// In bytes.
  let memory: UInt64
  let processors: Int

  init() {
    let group = ControlGroup()
    memory = min(ProcessInfo.processInfo.physicalMemory, group.memory ?? .max)
    processors = min(ProcessInfo.processInfo.activeProcessorCount, group.processors ?? .max)
  }
}
