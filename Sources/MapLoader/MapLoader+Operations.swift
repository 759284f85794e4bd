internal import MapService

// Operations: each returns when it has ended; `changes` has its progress. They continue without this program. A task that is
// cancelled cancels the operation that it waits for, and gets the result: `operationCancelled`, unless it was too late.

extension MapLoader {
  /// Installs packages, and all packages of regions; all maps come to the newest release.
  @discardableResult
  public func install(_ ids: [String]) async throws(MapError) -> OperationOutcome {
    try await operate(.install, Parameters("ids", ids))
  }

  /// Removes packages, and all packages of regions.
  @discardableResult
  public func uninstall(_ ids: [String]) async throws(MapError) -> OperationOutcome {
    try await operate(.uninstall, Parameters("ids", ids))
  }

  /// Updates all maps to the newest release.
  @discardableResult
  public func update() async throws(MapError) -> OperationOutcome { try await operate(.update) }

  /// Does everything of an update but the switch, which `activate()` does later.
  @discardableResult
  public func stage() async throws(MapError) -> OperationOutcome {
    var parameters = Parameters()
    parameters.add(flag: "stage")
    return try await operate(.update, parameters)
  }

  /// Makes the release current that is staged, without a network.
  @discardableResult
  public func activate() async throws(MapError) -> OperationOutcome {
    try await ask(.activate) { _, result in OperationOutcome(result) }
  }

  /// Notes where the device is: updates then bring the maps around it (`area_radius`).
  ///
  /// Cheap enough for once a minute. False if nothing was to be written, because it is where it was, or has told that not
  /// long ago.
  @discardableResult
  public func notePosition(_ place: Coordinate) async throws(MapError) -> Bool {
    try await ask(.setPosition, try parameters(of: place)) { _, result in result.flag("noted") }
  }

  /// Replaces damaged maps; only for root and the user of the service.
  @discardableResult
  public func repair() async throws(MapError) -> OperationOutcome { try await operate(.repair) }

  /// Cancels operations: those on these packages and regions; without any, all.
  public func cancel(_ ids: [String] = []) async throws(MapError) {
    try await ask(.cancel, Parameters("ids", ids)) { _, _ in }
  }

  /// Cancels one operation.
  public func cancel(operation: UInt64) async throws(MapError) {
    var parameters = Parameters()
    parameters.add("operation", number: "\(operation)")
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
    try await ask(method, Parameters("groups", groups)) { _, _ in }
  }

  /// Asks for an operation; cancels it if the task is cancelled.
  private func operate(
    _ method: MapMethod, _ parameters: Parameters = Parameters()
  ) async throws(MapError) -> OperationOutcome {
    try await ask(method, parameters, whenCancelled: .cancelsOperation) { _, result in
      OperationOutcome(result)
    }
  }
}
