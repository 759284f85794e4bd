internal import MapService

// Operations: each returns when it has ended; `changes` has its progress. They go on without this program, unless the task
// that waits for one is cancelled.

extension MapLoader {
  /// Installs packages, and all packages of regions; all maps come to the newest release.
  @discardableResult
  public func install(_ ids: [String]) async throws(MapError) -> OperationOutcome {
    try await operate(.install, ids)
  }

  /// Removes packages, and all packages of regions.
  @discardableResult
  public func uninstall(_ ids: [String]) async throws(MapError) -> OperationOutcome {
    try await operate(.uninstall, ids)
  }

  /// Updates all maps to the newest release.
  @discardableResult
  public func update() async throws(MapError) -> OperationOutcome { try await operate(.update, []) }

  /// Replaces damaged maps; only for root and the user of the service.
  @discardableResult
  public func repair() async throws(MapError) -> OperationOutcome { try await operate(.repair, []) }

  /// Cancels operations: those on these packages and regions; without any, all.
  public func cancel(_ ids: [String] = []) async throws(MapError) {
    var parameters = Parameters()
    parameters.add("ids", ids)
    try await ask(.cancel, parameters) { _, _ in }
  }

  /// Goes back to the previous release; only for root and the user of the service.
  @discardableResult
  public func rollBack() async throws(MapError) -> OperationOutcome {
    try await ask(.rollback) { _, result in OperationOutcome(result) }
  }

  /// Ends the trial of a release, which stays; only for root and the user of the service.
  public func confirm() async throws(MapError) { try await ask(.confirm) { _, _ in } }

  /// Selects data groups for the next update.
  public func select(_ groups: [String]) async throws(MapError) { try await choose(.selectGroups, groups) }

  /// No longer selects data groups.
  public func deselect(_ groups: [String]) async throws(MapError) {
    try await choose(.deselectGroups, groups)
  }

  private func choose(_ method: MapMethod, _ groups: [String]) async throws(MapError) {
    var parameters = Parameters()
    parameters.add("groups", groups)
    try await ask(method, parameters) { _, _ in }
  }

  /// Asks for an operation; cancels it if the task is cancelled.
  private func operate(_ method: MapMethod, _ ids: [String]) async throws(MapError) -> OperationOutcome {
    var parameters = Parameters()
    if !ids.isEmpty || method == .install || method == .uninstall { parameters.add("ids", ids) }
    do {
      return try await ask(method, parameters) { _, result in OperationOutcome(result) }
    } catch {
      if Task.isCancelled { await cancelUnlessCancelled(ids) }
      throw error
    }
  }

  /// In a task of its own: the present one is cancelled, and would not wait for an answer.
  private func cancelUnlessCancelled(_ ids: [String]) async {
    await Task.detached { [self] in _ = try? await cancel(ids) }.value
  }
}
